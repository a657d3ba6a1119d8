import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Express, NextFunction, Request, Response } from 'express';
import type { HelixConfig } from '../../config/helix-config.js';
import { openApiDocument } from './document.js';
import { downConvert } from './down-convert.js';

/** Swagger UI brings its own scripts and styles, some of them written into its page. */
const pagePolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; " +
  "frame-ancestors 'none'";

/**
 * Serves `/openapi.json` (3.1), `/openapi-3.0.json` and Swagger UI at `/docs`, without a key and without the network.
 * The document is made when it is first asked for, so that the start does not wait for it.
 */
export function publishOpenApi(app: NestExpressApplication, config: HelixConfig, url: () => string): void {
  let made: OpenAPIObject | undefined;
  const document = () => (made ??= openApiDocument(app, config, url()));
  let older: object | undefined;
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/openapi.json', (_, response) => void response.json(document()));
  express.get('/openapi-3.0.json', (_, response) => void response.json((older ??= downConvert(document()))));
  app.use('/docs', (_: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', pagePolicy);
    next();
  });
  // The page may be open under another name than the configured one; what it tries must stay on its own origin.
  const ofPage = () => ({ ...document(), servers: [{ url: '/', description: 'This deployment' }] });
  SwaggerModule.setup('docs', app, ofPage, {
    raw: false,
    customSiteTitle: 'Helix API',
    swaggerOptions: {
      persistAuthorization: true,
      displayOperationId: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    },
  });
}
