export { FirstRun } from './first-run.service.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';
export { ProjectsService } from './projects.service.js';
