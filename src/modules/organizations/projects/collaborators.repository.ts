import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/platform/database/transactions.js';
import type { ProjectAccess } from '../../access/index.js';
import { CollaboratorEntity } from '../entities/collaborator.entity.js';
import { ProjectEntity } from '../entities/project.entity.js';
import { collaboratorOf } from '../organization.mapper.js';
import type { Collaborator } from '../organization.js';
import { withPeople } from '../people/with-people.js';

@Injectable()
export class CollaboratorsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Longest-standing first. */
  list(projectId: string): Promise<Collaborator[]> {
    return this.#read({ projectId });
  }

  async find(projectId: string, userId: string): Promise<Collaborator | null> {
    const [collaborator] = await this.#read({ projectId, userId });
    return collaborator ?? null;
  }

  /** Whether the person was let into any project of the workspace. */
  isKnown(organizationId: string, userId: string): Promise<boolean> {
    return this.tx.manager
      .createQueryBuilder(CollaboratorEntity, 'collaborator')
      .innerJoin(ProjectEntity, 'project', 'project.id = collaborator.projectId')
      .where('project.organizationId = :organizationId AND collaborator.userId = :userId', {
        organizationId,
        userId,
      })
      .getExists();
  }

  async insert(projectId: string, userId: string, access: ProjectAccess): Promise<void> {
    await this.#rows.insert({ projectId, userId, access });
  }

  async change(projectId: string, userId: string, access: ProjectAccess): Promise<void> {
    await this.#rows.update({ projectId, userId }, { access, revision: () => 'revision + 1' });
  }

  async remove(projectId: string, userId: string): Promise<void> {
    await this.#rows.delete({ projectId, userId });
  }

  async #read(where: { projectId: string; userId?: string }): Promise<Collaborator[]> {
    const rows = await this.#rows.find({ where, order: { createdAt: 'ASC', userId: 'ASC' } });
    return withPeople(this.tx.manager, rows, collaboratorOf);
  }

  get #rows() {
    return this.tx.manager.getRepository(CollaboratorEntity);
  }
}
