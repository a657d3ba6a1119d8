import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContextBuilder } from './context-builder.js';
import { FailedAttempts } from './failed-attempts.js';
import { AllowlistGuard } from './guards/allowlist.guard.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { OrganizationGuard } from './guards/organization.guard.js';
import { PolicyGuard } from './guards/policy.guard.js';
import { PermissionGuard } from './guards/permission.guard.js';
import { ApiKeyEntity } from './keys/api-key.entity.js';
import { ApiKeysController } from './keys/api-keys.controller.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { Pepper } from './keys/pepper.js';

/**
 * Who may do what. The guards stand in the order in which a request is refused: address and rate, 401, 404 outside the allowlist, 400 and
 * 403 for the workspace, 403 for role and scope; only then is a body read.
 *
 * More than the usual nine files: keys/ is one data module of its own, and sessions and task credentials will stand
 * beside it.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [ApiKeysController],
  providers: [
    Pepper,
    ApiKeysRepository,
    ApiKeysService,
    ContextBuilder,
    { provide: FailedAttempts, useFactory: () => new FailedAttempts() },
    { provide: APP_GUARD, useClass: PolicyGuard },
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: AllowlistGuard },
    { provide: APP_GUARD, useClass: OrganizationGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
  ],
  exports: [ApiKeysService, ContextBuilder, FailedAttempts],
})
export class AccessModule {}
