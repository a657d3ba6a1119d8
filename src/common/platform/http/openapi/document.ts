import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { packageVersion } from '../../config/package-root.js';
import type { HelixConfig } from '../../config/helix-config.js';

/** Both names of the contract's error bodies; closed, so that a `oneOf` of the two is always decided. */
const errorSchemas = {
  ApiError: {
    type: 'object',
    description: 'What went wrong. The header X-Helix-Error has the machine code.',
    required: ['error'],
    additionalProperties: false,
    properties: { error: { type: 'string', description: 'A sentence that says what to do.' } },
  },
  ValidationError: {
    type: 'object',
    description: 'The JSON body failed schema validation. Values are never repeated.',
    required: ['error', 'fields'],
    additionalProperties: false,
    properties: {
      error: { type: 'string' },
      fields: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['path', 'code', 'message'],
          additionalProperties: false,
          properties: {
            path: { type: 'string', description: 'JSON Pointer into the body; empty for the whole.' },
            code: { type: 'string' },
            message: { type: 'string' },
          },
        },
      },
    },
  },
} as const;

/** In the order in which a reader needs them. */
const tags = [
  { name: 'Tools', description: 'Shared tool discovery, durable invocation and usage receipts.' },
  { name: 'Organizations', description: 'Workspaces: which there are, and which one a session acts in.' },
  { name: 'Members', description: 'Who belongs to a workspace, and how they come in.' },
  { name: 'Projects', description: 'Parts of a workspace, and who from outside is let into them.' },
  { name: 'Access', description: 'API keys, and credentials for one task.' },
  { name: 'Sessions', description: 'Browser sessions of people.' },
  { name: 'Audit', description: 'Who changed what.' },
  { name: 'Dead letters', description: 'What workflows could not do.' },
] as const;

/** Answers any operation may give, in the document though no operation names them. */
const everywhere = {
  '429': 'Too many requests; wait as long as Retry-After says.',
  '500': 'The server failed. Retry only where an idempotency key makes that safe.',
  '503': 'The server is starting, stopping or overloaded; try again.',
} as const;

/**
 * Name of the session cookie. On https the `__Host-` prefix makes browsers refuse it from anywhere but this host, with
 * Secure and Path=/ (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookieName(config: HelixConfig): string {
  return config.publicUrl?.startsWith('https:') ? '__Host-helix_session' : 'helix_session';
}

/** The OpenAPI 3.1 document of the running app, from its controllers' decorators. */
export function openApiDocument(app: INestApplication, config: HelixConfig, url: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Helix')
    .setDescription(
      'Tools and workflows, defined in YAML, called over REST and MCP with the same guarantees.',
    )
    .setVersion(packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(config.publicUrl ?? url, 'This deployment')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'apiKey')
    .addCookieAuth(sessionCookieName(config), { type: 'apiKey', in: 'cookie' }, 'sessionCookie')
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('sessionCookie')
    .build();
  builder.tags = [...tags];
  const document = SwaggerModule.createDocument(app, builder);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...copy(errorSchemas) },
  };
  for (const item of Object.values(document.paths)) {
    for (const method of ['get', 'put', 'post', 'delete', 'patch'] as const) {
      const operation = item[method];
      if (operation === undefined) continue;
      const common = operation.requestBody
        ? { ...everywhere, '413': 'The body is larger than 1 MiB.' }
        : everywhere;
      for (const [status, description] of Object.entries(common))
        operation.responses[status] ??= {
          description,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
        };
    }
  }
  return document;
}

function copy<T>(value: T): { -readonly [K in keyof T]: never } {
  return structuredClone(value) as never;
}
