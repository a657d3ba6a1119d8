export { PeopleService } from './people/people.service.js';
export { CollaboratorsService } from './projects/collaborators.service.js';
export { FirstRun } from './first-run.service.js';
export { MembersService } from './members/members.service.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';
export { ProjectsService } from './projects/projects.service.js';
