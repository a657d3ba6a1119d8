export { HealthModule } from './health.module.js';
export { Readiness, type ReadinessCheck, type ReadinessReport } from './readiness.js';
