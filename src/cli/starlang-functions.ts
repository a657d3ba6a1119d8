import { listFunctions, type FunctionDoc } from '../common/starlang/index.js';
import { CommandFailure } from './failure.js';
import { columns, paintOf, type Terminal } from './terminal.js';

/** Functions whose name or module has the text in it; without any, those whose sentence has. */
export function functionsFor(query: string | undefined): FunctionDoc[] {
  const all = listFunctions();
  if (!query) return all;
  const wanted = query.toLowerCase();
  const exact = all.filter(({ name, module }) =>
    [name, `${module}::${name}`].some((spelling) => spelling.toLowerCase() === wanted),
  );
  if (exact.length > 0) return exact;
  const named = all.filter(({ name, module }) => `${module}::${name}`.toLowerCase().includes(wanted));
  return named.length > 0 ? named : all.filter(({ doc }) => doc.toLowerCase().includes(wanted));
}

/** A list by module, or everything there is to know of a few. */
export function describeFunctions(found: readonly FunctionDoc[], terminal: Terminal): string {
  return found.length <= FEW
    ? `${found.map((one) => wholeOf(one, terminal)).join('\n\n')}\n`
    : `${listByModule(found, terminal)}\n`;
}

export function showFunctions(query: string | undefined, asJson: boolean, terminal: Terminal): void {
  const found = functionsFor(query);
  if (found.length === 0)
    throw new CommandFailure(
      `No function has "${query}" in its name or sentence. All of them: helix starlang functions`,
    );
  terminal.out(asJson ? `${JSON.stringify(found, null, 2)}\n` : describeFunctions(found, terminal));
}

const FEW = 6;

function wholeOf({ name, module, doc, signatures, examples }: FunctionDoc, terminal: Terminal): string {
  const paint = paintOf(terminal);
  return [
    `${paint.bold(name)}  ${paint.dim(module === 'dw::Core' ? module : `import * from ${module}`)}`,
    `  ${doc}`,
    ...signatures.map((signature) => `  ${paint.cyan(signature)}`),
    ...examples.map(({ expr, result }) => `  ${paint.dim('>')} ${expr}\n    ${result}`),
  ].join('\n');
}

function listByModule(found: readonly FunctionDoc[], terminal: Terminal): string {
  const paint = paintOf(terminal);
  const modules = [...new Set(found.map(({ module }) => module))];
  return modules
    .map((module) => {
      const rows = found.filter((one) => one.module === module).map(({ name, doc }) => [`  ${name}`, doc]);
      return `${paint.bold(module)}\n${columns(rows)}`;
    })
    .join('\n\n');
}
