import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { ProjectEntity } from '../entities/project.entity.js';
import { projectOf } from '../organization.mapper.js';
import type { Project } from '../organization.js';

@Injectable()
export class ProjectsRepository {
  constructor(private readonly tx: Transactions) {}

  exists(organizationId: string, id: string): Promise<boolean> {
    return this.#rows.existsBy({ organizationId, id });
  }

  /** Those of the ids that are no projects of the workspace. */
  async unknown(organizationId: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.#rows.findBy({ organizationId, id: In([...ids]) });
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }

  async find(organizationId: string, id: string): Promise<Project | null> {
    const row = await this.#rows.findOneBy({ organizationId, id });
    return row && projectOf(row);
  }

  /** Until the open transaction ends nobody else changes the project. */
  async lock(organizationId: string, id: string): Promise<Project | null> {
    const row = await this.#rows.findOne({
      where: { organizationId, id },
      lock: { mode: 'for_no_key_update' },
    });
    return row && projectOf(row);
  }

  /** Oldest first. */
  async list(organizationId: string): Promise<Project[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return (await this.#rows.find({ where: { organizationId }, order })).map(projectOf);
  }

  /** @throws QueryFailedError for a name the workspace has: `project_name_unique` */
  async insert(project: Pick<Project, 'id' | 'organizationId' | 'name'>): Promise<void> {
    await this.#rows.insert(project);
  }

  /** @throws QueryFailedError for a name the workspace has: `project_name_unique` */
  async rename(id: string, name: string): Promise<void> {
    await this.#rows.update({ id }, { name, revision: () => 'revision + 1' });
  }

  async remove(id: string): Promise<void> {
    await this.#rows.delete({ id });
  }

  get #rows() {
    return this.tx.manager.getRepository(ProjectEntity);
  }
}
