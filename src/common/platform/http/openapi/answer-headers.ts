const text = { type: 'string' } as const;

/** Headers of answers, told once in the document and named where they are sent. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'Id of this request, to quote to the operator.',
    required: true,
    schema: text,
    example: '0196a0b0-0000-7000-8000-000000000001',
  },
  'X-Helix-Error': {
    description: 'Machine code of the error.',
    required: true,
    schema: { ...text, pattern: '^[a-z_]+$' },
    example: 'no_active_organization',
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    required: false,
    schema: { ...text, pattern: '^[0-9]+$' },
    example: '1',
  },
  'RateLimit-Policy': {
    description: 'How many requests a caller may send in how many seconds, where the deployment limits them.',
    required: false,
    schema: { ...text, pattern: '^"requests";q=[0-9]+;w=[0-9]+$' },
    example: '"requests";q=600;w=60',
  },
  RateLimit: {
    description: 'How many requests are left, and the seconds until all of them are again.',
    required: false,
    schema: { ...text, pattern: '^"requests";r=[0-9]+;t=[0-9]+$' },
    example: '"requests";r=599;t=1',
  },
  'WWW-Authenticate': {
    description: 'The scheme by which a caller proves who is asking (RFC 9110, section 11.6.1).',
    required: true,
    schema: text,
    example: 'ApiKey realm="helix"',
  },
  'Set-Cookie': {
    description: 'The session cookie.',
    required: false,
    schema: text,
    example: 'helix_session=…; Path=/; HttpOnly; SameSite=Lax',
  },
  'Idempotent-Replayed': {
    description: 'The idempotency key was known: nothing was done anew.',
    required: true,
    schema: { ...text, enum: ['true'] },
    example: 'true',
  },
  Location: {
    description: 'Where to go on.',
    required: true,
    schema: text,
    example: '/docs',
  },
} as const;

/** Headers that any answer may have. */
export const headersOfAll = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const;

/** Names headers for a response object. */
export function headersNamed(
  ...names: readonly (keyof typeof answerHeaders)[]
): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
