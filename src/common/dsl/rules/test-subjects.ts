import { closest } from '../../engine/api/options.js';
import type { Place } from '../../engine/model/source-node.js';
import { errorCodes, isErrorCode } from '../../engine/errors/error-codes.js';
import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import { addressPattern } from '../../engine/runtime/address-pattern.js';
import { placeIn, sentenceOf } from '../scripts.js';
import type { AddressText, TestDefinition, TestScript } from '../tests/test-definition.js';
import type { Rule, RuleContext } from './rule.js';

export const testSubjects: Rule = {
  id: 'test',
  sentence: 'A test is about something that is there, and what it says can be understood.',
  check(context) {
    const seen = new Map<string, Place>();
    for (const test of context.tests) {
      checkSubject(test, context);
      checkName(test, seen, context);
      for (const script of scriptsOf(test)) checkScript(script, context);
      for (const address of addressesOf(test)) checkAddress(address, context);
      checkCodes(test, context);
    }
  },
};

function checkSubject({ subject }: TestDefinition, { workspace, error }: RuleContext): void {
  const ids =
    subject.kind === 'tool'
      ? workspace.tools.map(({ definition }) => definition.id)
      : [
          ...workspace.workflows.map(({ id }) => id),
          ...workspace.tools.map(({ definition }) => definition.id),
        ];
  const isTool = workspace.tools.some(({ definition }) => definition.id === subject.id);
  if (ids.includes(subject.id) && (subject.kind === 'tool' || !isTool)) return;
  const hint = closest(subject.id, ids);
  const advice =
    hint === subject.id ? 'it is a tool: write tool.' : hint ? `did you mean "${hint}"?` : 'correct the id.';
  error(subject.place, `There is no ${subject.kind} "${subject.id}"; ${advice}`, hint);
}

function checkName(
  { name, subject, place }: TestDefinition,
  seen: Map<string, Place>,
  { error }: RuleContext,
): void {
  const key = JSON.stringify([subject.id, name]);
  const twin = seen.get(key);
  if (twin) {
    const where = `${twin.file}:${twin.line}`;
    error(
      place,
      `"${subject.id}" has a test "${name}" already, in ${where}: give this one a name of its own.`,
    );
  } else seen.set(key, place);
}

function scriptsOf({ mocks, expect }: TestDefinition): readonly TestScript[] {
  return [...expect.that, ...mocks.flatMap(({ replies }) => replies.flatMap(({ script }) => script ?? []))];
}

function checkScript({ source, place }: TestScript, { checkScript: check, files, error }: RuleContext): void {
  const { errors } = check(source);
  const isSecret = files.get(place.file)?.scalarAt(place)?.secret === true;
  for (const finding of errors) {
    error(
      placeIn(files, place, finding),
      isSecret ? 'The script does not compile once its variables are filled in.' : sentenceOf(finding),
    );
  }
}

function addressesOf({ mocks, faults, allow, expect }: TestDefinition): readonly AddressText[] {
  return [...[...mocks, ...faults].map(({ uri }) => uri), ...allow, ...expect.calls.map(({ to }) => to)];
}

function checkAddress({ text, place }: AddressText, { error }: RuleContext): void {
  try {
    if (text.endsWith('*') || text.startsWith('/')) addressPattern(text);
    else EndpointUri.parse(text);
  } catch {
    error(
      place,
      `"${text}" names no targets: write scheme://path, a prefix that ends in *, or /a regular expression/.`,
    );
  }
}

/** A code of one's own is welcome, but in an area of Helix it is more likely a slip that no clause would ever meet. */
function checkCodes({ mocks, faults }: TestDefinition, { warning }: RuleContext): void {
  const known = Object.keys(errorCodes);
  const areas = new Set(known.map(areaOf));
  for (const { fail, uri } of [
    ...faults,
    ...mocks.flatMap(({ uri, replies }) => replies.map(({ fail }) => ({ fail, uri }))),
  ]) {
    if (fail === null || isErrorCode(fail) || !areas.has(areaOf(fail))) continue;
    const hint = closest(fail, known);
    warning(
      uri.place,
      `Nothing fails with ${fail}${hint ? `; did you mean ${hint}?` : ': correct the code.'}`,
      hint,
    );
  }
}

const areaOf = (code: string): string => code.split('.')[0] ?? '';
