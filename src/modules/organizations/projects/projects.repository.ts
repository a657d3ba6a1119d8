import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../common/platform/database/query-failures.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { ProjectEntity } from './entities/project.entity.js';
import { projectOf } from './organization.mapper.js';
import type { Project } from './organization.js';

@Injectable()
export class ProjectsRepository {
  constructor(private readonly tx: Transactions) {}

  exists(organizationId: string, id: string): Promise<boolean> {
    return this.tx.manager.existsBy(ProjectEntity, { organizationId, id });
  }

  async find(organizationId: string, id: string): Promise<Project | null> {
    const row = await this.tx.manager.findOneBy(ProjectEntity, { organizationId, id });
    return row && projectOf(row);
  }

  async list(organizationId: string): Promise<Project[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return (await this.tx.manager.find(ProjectEntity, { where: { organizationId }, order })).map(projectOf);
  }

  /** @returns false where the workspace has a project of this name */
  async insert(project: Pick<Project, 'id' | 'organizationId' | 'name'>): Promise<boolean> {
    try {
      await this.tx.manager.insert(ProjectEntity, project);
      return true;
    } catch (error) {
      if (isUniqueViolation(error, 'project_name_unique')) return false;
      throw error;
    }
  }
}
