import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { validationFailed } from '../../../common/platform/http/json/json-text.js';
import { HelixLog } from '../../../common/platform/logging/helix-log.js';
import type { Actor } from '../actor.js';
import { type AuditEvent, AuditTrail } from '../audit-trail.js';
import type { Identity } from '../auth-context.js';
import {
  type CredentialKind,
  formatCredential,
  mintCredential,
  parseCredential,
  type CredentialParts,
} from './api-key-format.js';
import { isLive, isUseWorthNoting, type ApiKey, type MintedApiKey, type NewApiKey } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { Memberships } from '../memberships.js';
import { checkRevision } from '../revision.js';
import { type Digest, Pepper } from './pepper.js';

/** What an unknown id is compared with, so that it costs the same work as a known one. */
const nobody = Buffer.alloc(32);

@Injectable()
export class ApiKeysService {
  readonly #noting = new Set<string>();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly pepper: Pepper,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly memberships: Memberships,
    private readonly log: HelixLog,
  ) {}

  /** Who shows this credential; null for a wrong, revoked or expired one. Read from the database each time. */
  async authenticate(text: string): Promise<Identity | null> {
    const parts = parseCredential(text);
    if (parts === null) return null;
    const stored = await this.keys.findProvable(parts.id);
    const now = Date.now();
    const digests = this.pepper.digests(formatCredential(parts));
    const isPresent = proves(digests, stored?.digest ?? nobody);
    const isPrevious = proves(digests, stored?.previousDigest ?? nobody);
    if (stored === null || stored.key.kind !== parts.kind || !isLive(stored.key, now)) return null;
    const isInGrace = isPrevious && (stored.key.previousUntil?.getTime() ?? 0) > now;
    if (!isPresent && !isInGrace) return null;
    const [active] = digests;
    const isOld = isPresent && active !== undefined && stored.ringKeyId !== active.keyId;
    if (isOld) this.#note(stored.key.id, () => this.keys.renewDigest(stored.key.id, stored.digest, active));
    if (isUseWorthNoting(stored.key.lastUsedAt, now))
      this.#note(stored.key.id, () => this.keys.noteUse(stored.key.id));
    return identityOf(stored.key);
  }

  /**
   * Makes a key; its secret is in the answer and nowhere else.
   * @throws HelixError `HTTP.VALIDATION_FAILED` for projects that the workspace does not have
   */
  create(draft: NewApiKey, actor: Actor): Promise<MintedApiKey> {
    return this.tx.run(async () => {
      await this.#checkProjects(draft);
      const minted = await this.#insert(draft);
      const { id: target, name, organizationId, projectIds } = minted.key;
      const { operations, toolIds } = minted.key;
      const details: AuditEvent['details'] = draft.task
        ? { name, projectIds, operations, toolIds }
        : { name, scopes: draft.scopes, projectIds };
      const action = draft.task ? 'taskCredential.create' : 'apiKey.create';
      await this.audit.record({ action, organizationId, actor, target, details });
      return minted;
    });
  }

  /** Newest first, revoked ones included. */
  list(organizationId: string, kind: CredentialKind = 'sk'): Promise<ApiKey[]> {
    return this.keys.list(organizationId, kind);
  }

  /** @throws HelixError `ACCESS.UNKNOWN_API_KEY` */
  async read(organizationId: string, id: string, kind: CredentialKind = 'sk'): Promise<ApiKey> {
    const key = await this.keys.find(organizationId, id, kind);
    if (key === null) throw unknownKey();
    return key;
  }

  /**
   * Stops a key for good, its next request included. Revoking it again changes nothing.
   * @param revision the one the caller has seen; null: whichever it is
   * @throws HelixError `ACCESS.UNKNOWN_API_KEY`, `ACCESS.STALE_REVISION`
   */
  revoke(
    organizationId: string,
    id: string,
    revision: number | null,
    actor: Actor,
    kind: CredentialKind = 'sk',
  ): Promise<ApiKey> {
    return this.tx.run(async () => {
      const key = await this.#lock(organizationId, id, kind, revision);
      if (key.revokedAt !== null) return key;
      await this.keys.revoke(organizationId, id);
      const action = kind === 'task' ? 'taskCredential.revoke' : 'apiKey.revoke';
      const details = { name: key.name };
      await this.audit.record({ action, organizationId, actor, target: id, details });
      return this.read(organizationId, id, kind);
    });
  }

  /**
   * Gives a key a new secret under its old id. The former one stays good for `graceSeconds`, so that its users can be
   * changed over one by one; the one before it ends at once.
   * @param revision the one the caller has seen; null: whichever it is
   * @throws HelixError `ACCESS.UNKNOWN_API_KEY`, `ACCESS.STALE_REVISION`
   */
  rotate(
    organizationId: string,
    id: string,
    { graceSeconds, revision }: { readonly graceSeconds: number; readonly revision: number | null },
    actor: Actor,
  ): Promise<MintedApiKey> {
    return this.tx.run(async () => {
      const { name } = await this.#lock(organizationId, id, 'sk', revision);
      const parts = mintCredential('sk', id);
      const until = new Date(Date.now() + graceSeconds * 1000);
      if (!(await this.keys.replaceDigest(organizationId, id, this.#digest(parts), until)))
        throw unknownKey();
      const details = { name, graceSeconds };
      await this.audit.record({ action: 'apiKey.rotate', organizationId, actor, target: id, details });
      return { key: await this.read(organizationId, id), secret: formatCredential(parts) };
    });
  }

  async #checkProjects({ organizationId, projectIds }: NewApiKey): Promise<void> {
    if (projectIds === null) return;
    const unknown = await this.memberships.unknownProjects(organizationId, projectIds);
    if (unknown.length === 0) return;
    const message = 'The workspace has no such project.';
    throw validationFailed(
      unknown.map((id) => ({
        path: `/projectIds/${projectIds.indexOf(id)}`,
        code: 'unknown_project',
        message,
      })),
    );
  }

  async #insert(draft: NewApiKey): Promise<MintedApiKey> {
    for (;;) {
      const parts = mintCredential(draft.task ? 'task' : 'sk');
      const key = await this.keys.insert(parts.id, this.#digest(parts), draft);
      if (key !== null) return { key, secret: formatCredential(parts) };
    }
  }

  async #lock(
    organizationId: string,
    id: string,
    kind: CredentialKind,
    revision: number | null,
  ): Promise<ApiKey> {
    const key = await this.keys.lock(organizationId, id, kind);
    if (key === null) throw unknownKey();
    checkRevision(key.revision, revision);
    return key;
  }

  #digest(parts: CredentialParts): Digest {
    return this.pepper.digest(formatCredential(parts));
  }

  /** Outside the request: whether it was noted matters to nobody who waits. Once for all requests that come together. */
  #note(id: string, write: () => Promise<void>): void {
    if (this.#noting.has(id)) return;
    this.#noting.add(id);
    write()
      .catch((error: unknown) => this.log.write('warn', 'The use of an API key was not noted.', { error }))
      .finally(() => this.#noting.delete(id));
  }
}

/** In the same time whichever of them it is. */
function proves(digests: readonly Digest[], stored: Buffer): boolean {
  let isEqual = false;
  for (const { bytes } of digests) if (timingSafeEqual(bytes, stored)) isEqual = true;
  return isEqual;
}

function identityOf(key: ApiKey): Identity {
  return {
    type: key.kind === 'task' ? 'task' : 'apiKey',
    id: key.id,
    userId: key.userId,
    boundTo: key.organizationId,
    defaultOrganizationId: key.organizationId,
    scopes: new Set(key.scopes),
    operations: key.operations && new Set(key.operations),
    toolIds: key.toolIds && new Set(key.toolIds),
    projectIds: key.projectIds,
  };
}

function unknownKey(): HelixError {
  return new HelixError(
    'ACCESS.UNKNOWN_API_KEY',
    'There is no such API key in this workspace, or it is revoked.',
  );
}
