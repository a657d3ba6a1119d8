import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { isUniqueViolation } from '../../../common/platform/database/query-failures.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { UuidV7 } from '../../../common/platform/database/uuid-v7.js';
import {
  actorOf,
  AuditTrail,
  type AuthContext,
  checkRevision,
  mayAccessProject,
} from '../../access/index.js';
import type { Project } from '../organization.js';
import { ProjectsRepository } from './projects.repository.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly tx: Transactions,
    private readonly audit: AuditTrail,
    private readonly ids: UuidV7,
  ) {}

  /** Whether the workspace has the project. */
  exists(organizationId: string, id: string): Promise<boolean> {
    return this.projects.exists(organizationId, id);
  }

  /** The projects the caller may see. */
  async list(auth: AuthContext): Promise<Project[]> {
    const projects = await this.projects.list(auth.organizationId);
    return projects.filter(({ id }) => mayAccessProject(auth, id));
  }

  /** @throws HelixError `ACCESS.NO_PROJECT_ACCESS`, `CALL.UNKNOWN_PROJECT` */
  async read(auth: AuthContext, id: string): Promise<Project> {
    if (!mayAccessProject(auth, id))
      throw new HelixError('ACCESS.NO_PROJECT_ACCESS', 'These credentials have no access to the project.');
    return found(await this.projects.find(auth.organizationId, id));
  }

  /** @throws HelixError `ACCESS.NAME_TAKEN` */
  create(auth: AuthContext, name: string): Promise<Project> {
    const id = `prj_${this.ids.next()}`;
    return this.#change(auth, 'project.create', id, async () => {
      await this.projects.insert({ id, organizationId: auth.organizationId, name });
      return { name };
    });
  }

  /** @throws HelixError `CALL.UNKNOWN_PROJECT`, `ACCESS.NAME_TAKEN`, `ACCESS.STALE_REVISION` */
  rename(auth: AuthContext, id: string, name: string, revision: number | null): Promise<Project> {
    return this.#change(auth, 'project.update', id, async () => {
      const before = await this.#lock(auth, id, revision);
      await this.projects.rename(id, name);
      return { name, before: before.name };
    });
  }

  /**
   * Its calls are kept, and keep its id; collaborators lose their access.
   * @returns the project as it was
   * @throws HelixError `CALL.UNKNOWN_PROJECT`, `ACCESS.STALE_REVISION`
   */
  remove(auth: AuthContext, id: string, revision: number | null): Promise<Project> {
    const { organizationId } = auth;
    return this.tx.run(async () => {
      const project = await this.#lock(auth, id, revision);
      await this.projects.remove(id);
      const details = { name: project.name };
      const actor = actorOf(auth);
      await this.audit.record({ action: 'project.remove', organizationId, actor, target: id, details });
      return project;
    });
  }

  /** A change with its entry in the audit log. `work` gives the entry's details. */
  async #change(
    auth: AuthContext,
    action: 'project.create' | 'project.update',
    id: string,
    work: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<Project> {
    const { organizationId } = auth;
    try {
      return await this.tx.run(async () => {
        const details = await work();
        await this.audit.record({ action, organizationId, actor: actorOf(auth), target: id, details });
        return found(await this.projects.find(organizationId, id));
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'project_name_unique')) throw error;
      throw new HelixError('ACCESS.NAME_TAKEN', 'The workspace has a project of this name: choose another.');
    }
  }

  async #lock({ organizationId }: AuthContext, id: string, revision: number | null): Promise<Project> {
    const project = found(await this.projects.lock(organizationId, id));
    checkRevision(project.revision, revision);
    return project;
  }
}

function found(project: Project | null): Project {
  if (project !== null) return project;
  throw new HelixError('CALL.UNKNOWN_PROJECT', 'No such project in this workspace.');
}
