const marked = Symbol('free-form properties');

interface Marked {
  [marked]?: Set<string>;
}

/**
 * Marks a property of a DTO whose JSON is the caller's own affair: it arrives exactly as sent, with members called
 * `constructor` or `__proto__` and all. Validators on it see its kind only (an object stands in for an object), so
 * `@IsObject()` and the like work and nothing looks inside.
 *
 * ```ts
 * @ApiProperty({ type: 'object', additionalProperties: true })
 * @FreeForm()
 * @IsObject()
 * input: Record<string, unknown>;
 * ```
 */
export function FreeForm(): PropertyDecorator {
  return (target, property) => {
    const holder = target as Marked;
    const inherited = holder[marked] ?? [];
    holder[marked] = new Set([...inherited, String(property)]);
  };
}

export function freeFormPropertiesOf(type: new () => object): ReadonlySet<string> {
  return (type.prototype as Marked)[marked] ?? new Set();
}
