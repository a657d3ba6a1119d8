import { errorCodes, isErrorCode } from '../../engine/errors/error-codes.js';
import { closest } from '../../engine/api/options.js';
import { entry, type ScalarNode, type SourceNode } from '../../engine/model/source-node.js';
import type { Rule, RuleContext } from './rule.js';
import { allSteps } from './step-lists.js';

const known = Object.keys(errorCodes);
const form = /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$/;

export const unknownCode: Rule = {
  id: 'unknown-code',
  sentence: 'An error code is one of the table, or AREA.NAME of one’s own that is thrown somewhere.',
  check(context) {
    const thrown = allSteps(context.workspace, context.steps).flatMap(({ step: { keyword, body } }) => {
      const code = keyword === 'throw' && body.kind === 'map' ? scalar(entry(body, 'code')) : null;
      return code === null ? [] : [code];
    });
    for (const code of thrown) checkThrown(code, context);
    const own = thrown.map(({ value }) => String(value).toUpperCase());
    for (const { onException } of [context.workspace, ...context.workspace.workflows]) {
      for (const match of matchesOf(onException)) checkMatch(match, own, context);
    }
  },
};

function checkThrown(code: ScalarNode, { error, warning }: RuleContext): void {
  const text = String(code.value);
  if (code.secret || isErrorCode(text)) return;
  const hint = nearest(text);
  const advice = hint ? `; did you mean "${hint}"?` : '.';
  if (!form.test(text)) {
    error(
      code.place,
      `"${text}" is no error code: write one of the known, or AREA.NAME of your own${advice}`,
      hint,
    );
  } else if (hint) warning(code.place, `There is no known error code "${text}"${advice}`, hint);
}

function checkMatch(match: ScalarNode, own: readonly string[], { warning }: RuleContext): void {
  const text = String(match.value);
  if (match.secret || text.startsWith('/')) return;
  const all = [...known, ...own];
  const isPrefix = text.endsWith('*');
  const wanted = (isPrefix ? text.slice(0, -1) : text).toUpperCase();
  if (all.some((code) => (isPrefix ? code.startsWith(wanted) : code === wanted))) return;
  const hint = isPrefix ? undefined : nearest(text, own);
  warning(
    match.place,
    `No failure has a code "${text}"${hint ? `; did you mean "${hint}"?` : ': it is neither known nor thrown by a step of this workspace.'}`,
    hint,
  );
}

/** The known code that was meant: without its area, or misspelt in one of its two parts. */
function nearest(text: string, own: readonly string[] = []): string | undefined {
  const [area = '', name] = text.toUpperCase().split('.', 2);
  const parts = [...known, ...own].map((code) => ({
    code,
    area: code.split('.')[0] ?? '',
    name: code.slice(code.indexOf('.') + 1),
  }));
  const among = (codes: typeof parts, wanted: string): string | undefined => {
    const hint = closest(
      wanted,
      codes.map((each) => each.name),
    );
    return codes.find((each) => each.name === hint)?.code;
  };
  if (name === undefined) return among(parts, area);
  const sameName = parts.filter((each) => each.name === name);
  if (
    sameName.length > 0 &&
    closest(
      area,
      sameName.map((each) => each.area),
    ) !== undefined
  )
    return sameName[0]?.code;
  return among(
    parts.filter((each) => each.area === area),
    name,
  );
}

function matchesOf(source: SourceNode | null): readonly ScalarNode[] {
  if (source === null) return [];
  return (source.kind === 'list' ? source.items : [source]).flatMap((clause) => {
    const match = clause.kind === 'map' ? entry(clause, 'match') : undefined;
    const items = match?.kind === 'list' ? match.items : match ? [match] : [];
    return items.flatMap((item) => scalar(item) ?? []);
  });
}

function scalar(node: SourceNode | undefined): ScalarNode | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node : null;
}
