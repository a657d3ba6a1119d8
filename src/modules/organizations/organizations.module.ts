import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CorporateAccounts, Memberships, People } from '../access/index.js';
import { CollaboratorEntity } from './entities/collaborator.entity.js';
import { IdentityEntity } from './entities/identity.entity.js';
import { InvitationEntity } from './entities/invitation.entity.js';
import { MembershipEntity } from './entities/membership.entity.js';
import { OrganizationEntity } from './entities/organization.entity.js';
import { ProjectEntity } from './entities/project.entity.js';
import { UserEntity } from './entities/user.entity.js';
import { FirstRun } from './first-run.service.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { CorporateAccountsService } from './people/corporate-accounts.service.js';
import { IdentitiesRepository } from './people/identities.repository.js';
import { PeopleRepository } from './people/people.repository.js';
import { PeopleService } from './people/people.service.js';
import { CollaboratorsController } from './projects/collaborators.controller.js';
import { CollaboratorsRepository } from './projects/collaborators.repository.js';
import { CollaboratorsService } from './projects/collaborators.service.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsRepository } from './projects/projects.repository.js';
import { ProjectsService } from './projects/projects.service.js';
import { SetupController } from './setup.controller.js';

const entities = [
  OrganizationEntity,
  UserEntity,
  MembershipEntity,
  ProjectEntity,
  CollaboratorEntity,
  InvitationEntity,
  IdentityEntity,
];

/**
 * Workspaces, people, projects, and how the first of them come about. Tables that are one subject, so their entities
 * have a folder; members/, invitations/, projects/ and people/ each work on a part of them. Global because it fills access' ports `Memberships` and `People`, which access must not import.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  controllers: [
    OrganizationsController,
    MembersController,
    InvitationsController,
    ProjectsController,
    CollaboratorsController,
    SetupController,
  ],
  providers: [
    OrganizationsRepository,
    OrganizationsService,
    PeopleRepository,
    PeopleService,
    IdentitiesRepository,
    CorporateAccountsService,
    MembersRepository,
    MembersService,
    InvitationsRepository,
    InvitationsService,
    ProjectsRepository,
    ProjectsService,
    CollaboratorsRepository,
    CollaboratorsService,
    FirstRun,
    { provide: Memberships, useExisting: OrganizationsService },
    { provide: People, useExisting: PeopleService },
    { provide: CorporateAccounts, useExisting: CorporateAccountsService },
  ],
  exports: [
    OrganizationsService,
    MembersService,
    PeopleService,
    ProjectsService,
    CollaboratorsService,
    FirstRun,
    Memberships,
    People,
    CorporateAccounts,
  ],
})
export class OrganizationsModule {}
