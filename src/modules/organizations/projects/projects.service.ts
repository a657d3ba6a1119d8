import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { type AuthContext, mayAccessProject } from '../access/index.js';
import { ProjectsRepository } from './projects.repository.js';
import type { Project } from './organization.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
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

  /** @throws HelixError `ACCESS.NAME_TAKEN` */
  async create(organizationId: string, name: string): Promise<Project> {
    const id = `prj_${this.ids.next()}`;
    if (!(await this.projects.insert({ id, organizationId, name })))
      throw new HelixError('ACCESS.NAME_TAKEN', 'The workspace has a project of this name: choose another.');
    const project = await this.projects.find(organizationId, id);
    if (project === null) throw new HelixError('ENGINE.INTERNAL', 'The new project was removed at once.');
    return project;
  }
}
