import { ApiProperty } from '@nestjs/swagger';

const mark = 'x-any-json';

/** A property that holds any JSON value, null among them: its schema names no type. */
export function AnyJsonProperty(told: {
  readonly description: string;
  readonly example?: unknown;
}): PropertyDecorator {
  const options = { type: String, ...told, [mark]: true };
  return ApiProperty(options);
}

/** Takes the type, which Swagger's decorators always write, from the properties of `AnyJsonProperty`. */
export function openAnyJson(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Record<string, unknown>;
  if (schema[mark] === true) {
    delete schema[mark];
    delete schema['type'];
  }
  Object.values(schema).forEach(openAnyJson);
}
