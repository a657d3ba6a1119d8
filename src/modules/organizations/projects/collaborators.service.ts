import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { type Actor, AuditTrail, checkRevision, type ProjectAccess } from '../../access/index.js';
import { MembersRepository } from '../members/members.repository.js';
import type { Collaborator } from '../organization.js';
import { CollaboratorsRepository } from './collaborators.repository.js';
import { ProjectsRepository } from './projects.repository.js';

/** Where a collaborator stands: one person in one project of a workspace. */
interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly userId: string;
}

/** People from outside the workspace who are let into single projects. */
@Injectable()
export class CollaboratorsService {
  constructor(
    private readonly collaborators: CollaboratorsRepository,
    private readonly projects: ProjectsRepository,
    private readonly members: MembersRepository,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws HelixError `CALL.UNKNOWN_PROJECT` */
  async list(organizationId: string, projectId: string): Promise<Collaborator[]> {
    if (!(await this.projects.exists(organizationId, projectId))) throw unknownProject();
    return this.collaborators.list(projectId);
  }

  /**
   * Lets a person in, or further in or less far. Whether the person may be told of at all is for the caller to know.
   * @throws HelixError `CALL.UNKNOWN_PROJECT`, `ACCESS.ALREADY_A_MEMBER`, `ACCESS.STALE_REVISION`
   */
  grant(place: Place, access: ProjectAccess, revision: number | null, actor: Actor): Promise<Collaborator> {
    const { organizationId, projectId, userId } = place;
    return this.tx.run(async () => {
      await this.#lockProject(place);
      if ((await this.members.find(organizationId, userId)) !== null)
        throw new HelixError(
          'ACCESS.ALREADY_A_MEMBER',
          'A member of the workspace has access to every project.',
        );
      const before = await this.collaborators.find(projectId, userId);
      if (before === null) await this.collaborators.insert(projectId, userId, access);
      else {
        checkRevision(before.revision, revision);
        await this.collaborators.change(projectId, userId, access);
      }
      await this.audit.record({
        action: before === null ? 'collaborator.add' : 'collaborator.update',
        organizationId,
        actor,
        target: userId,
        details: { projectId, access },
      });
      return this.#found(place);
    });
  }

  /**
   * As {@link grant}, for people of whom the workspace knows already: others are invited.
   * @throws HelixError as `grant`, and `ACCESS.UNKNOWN_MEMBER`
   */
  async regrant(
    place: Place,
    access: ProjectAccess,
    revision: number | null,
    actor: Actor,
  ): Promise<Collaborator> {
    const { organizationId, userId } = place;
    const isKnown =
      (await this.collaborators.isKnown(organizationId, userId)) ||
      (await this.members.find(organizationId, userId)) !== null;
    if (!isKnown) throw unknownCollaborator();
    return this.grant(place, access, revision, actor);
  }

  /**
   * @returns the collaborator as it was
   * @throws HelixError `CALL.UNKNOWN_PROJECT`, `ACCESS.UNKNOWN_MEMBER`, `ACCESS.STALE_REVISION`
   */
  remove(place: Place, revision: number | null, actor: Actor): Promise<Collaborator> {
    const { organizationId, projectId, userId } = place;
    return this.tx.run(async () => {
      await this.#lockProject(place);
      const before = await this.#found(place);
      checkRevision(before.revision, revision);
      await this.collaborators.remove(projectId, userId);
      const details = { projectId, access: before.access };
      await this.audit.record({
        action: 'collaborator.remove',
        organizationId,
        actor,
        target: userId,
        details,
      });
      return before;
    });
  }

  /** Changes of one project's collaborators take turns. */
  async #lockProject({ organizationId, projectId }: Place): Promise<void> {
    if ((await this.projects.lock(organizationId, projectId)) === null) throw unknownProject();
  }

  async #found({ projectId, userId }: Place): Promise<Collaborator> {
    const collaborator = await this.collaborators.find(projectId, userId);
    if (collaborator === null) throw unknownCollaborator();
    return collaborator;
  }
}

const unknownProject = () => new HelixError('CALL.UNKNOWN_PROJECT', 'No such project in this workspace.');
const unknownCollaborator = () =>
  new HelixError('ACCESS.UNKNOWN_MEMBER', 'There is no such collaborator: invite the person.');
