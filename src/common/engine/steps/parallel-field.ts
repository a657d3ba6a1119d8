import { wrong, type Field } from '../api/fields/field.js';

/** Branches at once where `parallel` is simply true. */
const USUAL = 10;

/** How many branches run at once: 1 is one after the other. */
export function parallel(sentence: string): Field<number> {
  return {
    kind: 'parallel',
    sentence,
    required: false,
    fallback: 1,
    schema: { anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 1, maximum: 10_000 }] },
    read(source, reader) {
      const value = source.kind === 'scalar' ? source.value : null;
      if (value === true || value === 'true') return USUAL;
      if (value === false || value === 'false') return 1;
      const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= 10_000) return count;
      wrong(reader, source, 'This must be true, false or how many run at once, from 1 to 10000.');
      return 1;
    },
  };
}
