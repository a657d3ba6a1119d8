import { hashPassword, type MemberRole, operator } from '../../../src/modules/access/index.js';
import {
  MembersService,
  OrganizationsService,
  PeopleService,
} from '../../../src/modules/organizations/index.js';
import { type Answer, Client, type RestStory } from './client.js';

export const password = 'correct horse battery';

/** A page of the deployment in somebody's browser: keeps the cookie it is given, and says where it comes from. */
export class Page extends Client {
  cookie: string | undefined;

  constructor(
    url: string,
    organizationId: string,
    userId: string,
    readonly email: string,
  ) {
    super(url, undefined, organizationId, userId);
  }

  override async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const own = { origin: this.url, ...(this.cookie !== undefined && { cookie: this.cookie }), ...headers };
    const answer = await super.send<Body>(method, path, body, own);
    for (const cookie of answer.headers.getSetCookie()) this.cookie = cookie.split(';')[0];
    return answer;
  }

  login(shown: Record<string, unknown> = {}): Promise<Answer> {
    return this.send('POST', '/v1/api/auth/login', { email: this.email, password, ...shown });
  }
}

let count = 0;

/** A person with a password, a member of the workspace or of none; logged in unless told otherwise. */
export async function pageOf(
  { helix }: RestStory,
  place: { readonly workspace?: Client; readonly role?: MemberRole; readonly isVerified?: boolean } = {},
  isLoggedIn = true,
): Promise<Page> {
  count += 1;
  const email = `person${count}@example.com`;
  const passwordHash = await hashPassword(password);
  const { workspace, role = 'owner', isVerified = true } = place;
  const userId = await helix.app.nest
    .get(PeopleService)
    .add({ name: `Person ${count}`, email, passwordHash, isVerified });
  if (workspace !== undefined)
    await helix.app.nest.get(MembersService).add(workspace.organizationId, userId, role, operator);
  const page = new Page(helix.url, workspace?.organizationId ?? '', userId, email);
  if (isLoggedIn) await page.login();
  return page;
}

/** A person who owns a workspace, logged in. */
export async function ownerPage(story: RestStory): Promise<Page> {
  const page = await pageOf(story);
  const { id } = await story.helix.app.nest
    .get(OrganizationsService)
    .createFor(page.userId, 'A workspace', operator);
  const there = new Page(page.url, id, page.userId, page.email);
  await there.login();
  return there;
}
