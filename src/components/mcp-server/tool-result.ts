import type { FieldProblem, HelixError } from '../../common/engine/errors/helix-error.js';
import { jsonText } from '../../common/engine/model/json-text.js';
import type { Message } from '../../common/engine/model/message.js';
import { blocksOf } from './content-blocks.js';
import type { ToolResult } from './tool-source.js';

/** How many findings a refusal names: a model mends a handful, and loses itself in fifty. */
const shownFindings = 5;

/**
 * The reply of a workflow as a tool's result (contract/mcp-server-component, "Return-body shaping"). An object that
 * stands in the body as JSON text counts as structured where the tool promises structure.
 */
export function resultOf(message: Message, promisesStructure: boolean): ToolResult {
  const { body } = message;
  const blocks = blocksOf(message);
  if (blocks !== null) return { text: '', ...blocks };
  try {
    if (typeof body === 'object' && body !== null && !(body instanceof Uint8Array)) {
      const { text = 'null', hasBytes } = jsonText(body);
      // A value that is not plain data (a Date, say) may be written as JSON text of another kind.
      const isPlain = text.startsWith('{') || text.startsWith('[');
      if (!isPlain) return { text };
      return { text, structured: hasBytes ? (JSON.parse(text) as object) : body };
    }
    const text = message.bodyAsString();
    const structured = promisesStructure ? objectIn(text) : undefined;
    return structured === undefined ? { text } : { text, structured };
  } catch {
    return refusal(
      'The tool ran, but its result cannot be written as JSON (it holds a cycle, or a number beyond what JSON has).',
    );
  }
}

export function refusal(text: string): ToolResult {
  return { text, isError: true };
}

/**
 * A failure in words a model can act on. What is for the operator stays in the log.
 * @param isRefused the arguments were refused before any step ran; a step may also fail with the same code, and then
 *   the work is half done
 */
export function failureOf(failure: HelixError, toolName: string, isRefused: boolean): ToolResult {
  const text = failure.publicMessage;
  if (!isRefused) return refusal(text);
  const fields = failure.fields ?? [];
  if (fields.length > 0) return argumentRefusal(toolName, fields);
  return refusal(`${text.replace(/[.\s]+$/, '')}; nothing was run.`);
}

/** What is wrong with the arguments, where, and that the tool did not run. */
export function argumentRefusal(toolName: string, problems: readonly FieldProblem[]): ToolResult {
  const lines = problems
    .slice(0, shownFindings)
    .map(({ path, message }) => `- ${path === '' ? '(arguments)' : path}: ${message}`);
  const more = problems.length - shownFindings;
  if (more > 0) lines.push(`- and ${more} more`);
  return refusal(
    [
      `The arguments of "${toolName}" do not match its schema:`,
      ...lines,
      'Correct them and call again; nothing was run.',
    ].join('\n'),
  );
}

function objectIn(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
