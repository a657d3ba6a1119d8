import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { packageVersion } from '../../config/package-root.js';
import type { HelixConfig } from '../../config/helix-config.js';
import { answerHeaders } from './answer-headers.js';
import { openAnyJson } from './any-json.js';
import { addCommonAnswers } from './common-answers.js';
import { errorSchemas } from './error-schemas.js';
import { inOrderOfTags, tags } from './tags.js';

/**
 * Name of the session cookie. On https the `__Host-` prefix makes browsers refuse it from anywhere but this host, with
 * Secure and Path=/ (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookieName(config: HelixConfig): string {
  return config.publicUrl?.startsWith('https:') ? '__Host-helix_session' : 'helix_session';
}

/** The OpenAPI 3.1 document of the running app, from its controllers' decorators. */
export function openApiDocument(app: INestApplication, config: HelixConfig, url: string): OpenAPIObject {
  const address = config.publicUrl ?? url;
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Helix')
    .setDescription(
      'Tools and workflows, defined in YAML, called over REST and MCP with the same guarantees.',
    )
    .setVersion(packageVersion())
    .setContact('The operator of this deployment', address, '')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(address, 'This deployment')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of a workspace.' },
      'apiKey',
    )
    .addCookieAuth(
      sessionCookieName(config),
      { type: 'apiKey', in: 'cookie', description: 'The cookie that the operation `login` sets.' },
      'sessionCookie',
    )
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('sessionCookie')
    .build();
  builder.tags = [...tags];
  const made = SwaggerModule.createDocument(app, builder);
  const document: OpenAPIObject = {
    ...made,
    paths: inOrderOfTags(made.paths),
    components: {
      ...made.components,
      schemas: { ...made.components?.schemas, ...copy(errorSchemas) },
      headers: copy(answerHeaders),
    },
  };
  delete document.info.contact?.email;
  openAnyJson(document.components?.schemas);
  addCommonAnswers(document);
  return document;
}

function copy<T>(value: T): { -readonly [K in keyof T]: never } {
  return structuredClone(value) as never;
}
