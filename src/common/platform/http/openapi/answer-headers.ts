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
} as const;

/** Names headers for a response object. */
export function headersNamed(
  ...names: readonly (keyof typeof answerHeaders)[]
): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
