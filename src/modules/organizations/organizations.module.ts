import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Memberships } from '../access/index.js';
import { MembershipEntity } from './entities/membership.entity.js';
import { OrganizationEntity } from './entities/organization.entity.js';
import { ProjectEntity } from './entities/project.entity.js';
import { UserEntity } from './entities/user.entity.js';
import { FirstRun } from './first-run.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { SetupController } from './setup.controller.js';

/**
 * Workspaces, people, projects, and how the first of them come about. Four tables that are one subject, so their
 * entities have a folder. Global because it fills access' port `Memberships`, which access must not import.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationEntity, UserEntity, MembershipEntity, ProjectEntity])],
  controllers: [OrganizationsController, ProjectsController, SetupController],
  providers: [
    OrganizationsRepository,
    OrganizationsService,
    ProjectsRepository,
    ProjectsService,
    FirstRun,
    { provide: Memberships, useExisting: OrganizationsService },
  ],
  exports: [OrganizationsService, ProjectsService, FirstRun, Memberships],
})
export class OrganizationsModule {}
