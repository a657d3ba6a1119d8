export { FirstRun, type Bootstrap, type FirstRunReport } from './first-run.service.js';
export type { Organization, Project } from './organization.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';
export { ProjectsService } from './projects.service.js';
