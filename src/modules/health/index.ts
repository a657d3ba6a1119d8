export { HealthModule } from './health.module.js';
export { type ReadinessCheck, type ReadinessReport } from './readiness.js';
