import { entry, type SourceNode } from '../../engine/model/source-node.js';
import { checkOf, misfits } from './fit.js';
import type { Rule } from './rule.js';
import { everySchema, standalone, subschemas } from './schema-nodes.js';

export const schemaExample: Rule = {
  id: 'schema-example',
  sentence: 'The examples and the default of a schema are what the schema allows.',
  check(context) {
    for (const root of everySchema(context)) {
      for (const schema of subschemas(root)) {
        const examples = entry(schema, 'examples');
        const told: readonly (readonly [string, SourceNode | undefined])[] = [
          ['default', entry(schema, 'default')],
          ['example', entry(schema, 'example')],
          ...(examples?.kind === 'list' ? examples.items : []).map((item) => ['example', item] as const),
        ];
        if (told.every(([, value]) => value === undefined)) continue;
        const check = checkOf(standalone(schema, root), context.schemas);
        for (const [what, value] of told) {
          if (value === undefined || check === null) continue;
          for (const { place, message } of misfits(value, check)) {
            context.warning(
              place,
              `The schema refuses its own ${what}: ${message}. Correct the ${what} or the schema.`,
            );
          }
        }
      }
    }
  },
};
