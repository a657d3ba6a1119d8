export { CronComponent } from './cron.component.js';
