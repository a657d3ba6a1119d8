import type { OpenAPIObject } from '@nestjs/swagger';

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Every operation of a document, path by path. */
export function operationsOf({ paths }: Pick<OpenAPIObject, 'paths'>) {
  return Object.values(paths).flatMap((item) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [item[method]])),
  );
}
