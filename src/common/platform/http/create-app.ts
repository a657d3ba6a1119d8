import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HelixError } from '../../engine/errors/helix-error.js';
import type { HelixConfig } from '../config/helix-config.js';
import { DatabaseServer } from '../database/database-server.js';
import { UuidV7 } from '../database/uuid-v7.js';
import { HelixLog, type LogSettings } from '../logging/helix-log.js';
import { NestLogger } from '../logging/nest-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { AppRole, PlatformModule } from '../platform.module.js';
import { BodyInterceptor } from './body.interceptor.js';
import { RequestPipe } from './dto/request.pipe.js';
import { edge } from './edge.js';
import { ErrorFilter } from './error.filter.js';
import { currentRequestId } from './request-context.js';
import { publishOpenApi } from './openapi/publish-openapi.js';
import { answerUnreadable } from './unreadable-request.js';

export interface AppSettings {
  /** Where log lines go; `stderr` where standard output belongs to a protocol. Default `stdout`. */
  readonly logTo?: LogSettings['to'];
  /** `visit` = a command that may look in while a Helix runs on the same home. Default `own`. */
  readonly role?: 'own' | 'visit';
  /** How long answers that are under way may take after `close` began, in milliseconds. */
  readonly drainMs?: number;
}

class Root {}

/**
 * One Helix: configuration, log, database, Nest application and HTTP server, opened and closed in that order. Used by
 * main.ts, the commands and the tests alike; nothing of it is global, so several may run in one process.
 *
 * ```ts
 * const app = await HelixApp.create(AppModule, readEnvironment());
 * const url = await app.listen();
 * const tools = app.nest.get(ToolsService);
 * await app.close();
 * ```
 */
export class HelixApp {
  #closing: Promise<void> | undefined;

  private constructor(
    readonly config: HelixConfig,
    readonly log: HelixLog,
    readonly nest: NestExpressApplication,
    private readonly server: DatabaseServer,
    private readonly drainMs: number,
    private readonly stop: { isStopping: boolean },
  ) {}

  /**
   * Opens everything but the port. `module` is the app's root module.
   * @throws ConfigurationError where the environment is wrong; nothing is left open then
   */
  static async create(
    module: Type<object>,
    config: HelixConfig,
    settings: AppSettings = {},
  ): Promise<HelixApp> {
    const log = new HelixLog({
      level: config.logLevel,
      format: config.logFormat,
      to: settings.logTo,
      context: () => ({ requestId: currentRequestId() }),
    });
    for (const secret of [config.keyring, config.redisUrl, config.tregToken, config.oidc?.clientSecret])
      log.secrets.add(secret);
    const metrics = new Metrics();
    const server = await DatabaseServer.open(config, log, settings.role);
    const role = new AppRole(settings.role ?? 'own');
    let opened: NestExpressApplication | undefined;
    try {
      const nest = await NestFactory.create<NestExpressApplication>(
        { module: Root, imports: [PlatformModule.with({ config, log, metrics, server, role }), module] },
        { logger: new NestLogger(log), bodyParser: false, abortOnError: false },
      );
      opened = nest;
      const stop = { isStopping: false };
      const app = new HelixApp(config, log, nest, server, settings.drainMs ?? 10_000, stop);
      const ids = nest.get(UuidV7);
      nest.set('x-powered-by', false).set('etag', false).set('query parser', 'simple');
      nest.set('trust proxy', config.trustProxy);
      answerUnreadable(nest.getHttpServer(), () => ids.next());
      nest.use(
        edge({
          log,
          metrics,
          nextId: () => ids.next(),
          isHttps: config.publicUrl?.startsWith('https:') ?? false,
          isStopping: () => stop.isStopping,
        }),
      );
      nest.useGlobalFilters(new ErrorFilter(log));
      nest.useGlobalInterceptors(new BodyInterceptor(nest.get(Reflector)));
      nest.useGlobalPipes(new RequestPipe());
      publishOpenApi(nest, config, () => app.url);
      await nest.init();
      return app;
    } catch (error) {
      // What failed is told by the error; what fails while tidying up after it would only cover it.
      await opened?.close().catch(() => undefined);
      await server.close();
      throw error;
    }
  }

  /**
   * Opens the port.
   * @returns address of the API without a trailing slash, with the port really taken
   * @throws HelixError `PLATFORM.WRONG_CONFIGURATION` where the port is taken
   */
  async listen(): Promise<string> {
    const { host, port } = this.config;
    try {
      await this.nest.listen(port, host);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const reason = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code})`;
      throw new HelixError(
        'PLATFORM.WRONG_CONFIGURATION',
        `Port ${port} on ${host} ${reason}: set PORT to another.`,
        {
          cause,
        },
      );
    }
    return this.url;
  }

  /** Address at which the API listens; the configured one until it does. */
  get url(): string {
    const address = this.nest.getHttpServer().address() as AddressInfo | null;
    const { port } = this.config;
    // Listening everywhere is no address to call.
    const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[this.config.host] ?? this.config.host;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address?.port ?? port}`;
  }

  /** Drains and closes everything; calling it again gives the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.stop.isStopping = true;
    const http = this.nest.getHttpServer();
    // Streams that never end by themselves would hold the server open for ever.
    const patience = setTimeout(() => http.closeAllConnections(), this.drainMs);
    try {
      await this.nest.close();
    } finally {
      clearTimeout(patience);
      await this.server.close();
      this.log.close();
    }
  }
}
