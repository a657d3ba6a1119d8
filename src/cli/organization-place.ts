import type { HelixApp } from '../common/platform/http/create-app.js';
import { CommandFailure, environmentWrong } from './failure.js';

/** The workspace named, or the oldest; keys stand on its owner's membership. */
export async function placeOf(
  app: HelixApp,
  named: string | undefined,
): Promise<{ organizationId: string; userId: string }> {
  const { OrganizationsService } = await import('../modules/organizations/index.js');
  const organizations = app.nest.get(OrganizationsService);
  const organizationId = named ?? (await organizations.all())[0]?.id;
  if (organizationId === undefined) {
    throw environmentWrong(
      'There is no workspace yet: start Helix once with "helix run", which makes the first.',
    );
  }
  const userId = await organizations.ownerOf(organizationId);
  if (userId === null) throw new CommandFailure(`There is no workspace "${organizationId}".`);
  return { organizationId, userId };
}
