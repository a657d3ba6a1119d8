import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedTables } from '../../common/platform/crypto/sealed-tables.js';
import { BodySizeGuard } from '../../common/platform/http/body-size.guard.js';
import { ContextBuilder } from './context-builder.js';
import { FailedAttempts } from './failed-attempts.js';
import { AllowlistGuard } from './guards/allowlist.guard.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { CrossSiteGuard } from './guards/cross-site.guard.js';
import { OrganizationGuard } from './guards/organization.guard.js';
import { PolicyGuard } from './guards/policy.guard.js';
import { PermissionGuard } from './guards/permission.guard.js';
import { ApiKeyEntity } from './keys/api-key.entity.js';
import { ApiKeysController } from './keys/api-keys.controller.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { Pepper } from './keys/pepper.js';
import { IdentityProvider } from './oidc/identity-provider.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcService } from './oidc/oidc.service.js';
import { OperationCatalogue } from './operation-catalogue.js';
import { SessionLevel } from './session-level.js';
import { SessionCookies } from './sessions/session-cookies.js';
import { SessionEntity } from './sessions/session.entity.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { TaskCredentialsController } from './task-credentials/task-credentials.controller.js';
import { TaskCredentialsService } from './task-credentials/task-credentials.service.js';

/**
 * Who may do what. The guards stand in the order in which a request is refused: a body too large, address and rate, 401, 403 for a cookie from
 * another site, 404 outside the allowlist, 400 and 403 for the workspace, 403 for role and scope; only then is a body read.
 *
 * More than the usual nine files: keys/, task-credentials/, sessions/ and oidc/ are data modules of their own.
 */
@Global()
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([ApiKeyEntity, SessionEntity])],
  controllers: [ApiKeysController, TaskCredentialsController, SessionsController, OidcController],
  providers: [
    Pepper,
    ApiKeysRepository,
    ApiKeysService,
    OperationCatalogue,
    TaskCredentialsService,
    SessionCookies,
    SessionsRepository,
    SessionsService,
    IdentityProvider,
    OidcService,
    ContextBuilder,
    SessionLevel,
    CrossSiteGuard,
    { provide: FailedAttempts, useFactory: () => new FailedAttempts() },
    { provide: APP_GUARD, useClass: BodySizeGuard },
    { provide: APP_GUARD, useClass: PolicyGuard },
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: CrossSiteGuard },
    { provide: APP_GUARD, useClass: AllowlistGuard },
    { provide: APP_GUARD, useClass: OrganizationGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
  ],
  exports: [ApiKeysService, SessionsService, SessionLevel, ContextBuilder, FailedAttempts],
})
export class AccessModule implements OnModuleInit {
  constructor(
    private readonly sealed: SealedTables,
    private readonly keys: ApiKeysRepository,
  ) {}

  onModuleInit(): void {
    this.sealed.count(this.keys);
  }
}
