/** Both names of the contract's error bodies; closed, so that a `oneOf` of the two is always decided. */
export const errorSchemas = {
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
            path: {
              type: 'string',
              description:
                'JSON Pointer into the body, empty for the whole; of a workspace, file:line:column.',
            },
            code: { type: 'string' },
            message: { type: 'string' },
          },
        },
      },
    },
  },
} as const;
