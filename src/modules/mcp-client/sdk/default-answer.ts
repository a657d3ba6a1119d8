import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';

interface Field {
  readonly default?: unknown;
}

/**
 * Fills in a form with the defaults of its fields (MCP, "Elicitation"). Declines where a required field has none, and
 * whatever is no form: nobody is there who could open a page.
 */
export function defaultAnswer(params: ElicitRequestParams): ElicitResult {
  if (!('requestedSchema' in params)) return { action: 'decline' };
  const { properties, required = [] } = params.requestedSchema;
  const fields = Object.entries(properties as Readonly<Record<string, Field>>);
  const filled = fields.filter(([, field]) => field.default !== undefined);
  const content = Object.fromEntries(filled.map(([name, field]) => [name, field.default]));
  if (!required.every((name) => Object.hasOwn(content, name))) return { action: 'decline' };
  return { action: 'accept', content: content as NonNullable<ElicitResult['content']> };
}
