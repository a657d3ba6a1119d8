import { Command } from 'commander';
import type { OptionTable } from '../common/engine/api/options.js';
import { closest } from '../common/engine/api/options.js';
import type { Vocabulary } from '../common/dsl/index.js';
import { CommandFailure } from './failure.js';
import { columns, paintOf, type Terminal } from './terminal.js';

export function componentsCommand(terminal: Terminal): Command {
  return new Command('components')
    .description('list the URI components with their options, and the steps')
    .argument('[scheme]', 'only this component')
    .option('--json', 'as JSON')
    .action(async (scheme: string | undefined, options: { json?: boolean }) => {
      const { catalogue } = await import('./catalogue.js');
      const vocabulary = catalogue();
      const components = vocabulary.components.filter((component) => !scheme || component.scheme === scheme);
      if (scheme && components.length === 0) {
        const known = vocabulary.components.map((component) => component.scheme);
        const hint = closest(scheme, known);
        throw new CommandFailure(
          `There is no component "${scheme}"; ${hint ? `did you mean "${hint}"?` : `there are ${known.join(', ')}.`}`,
        );
      }
      const shown = { ...vocabulary, components };
      terminal.out(options.json ? asJson(shown, !scheme) : describe(shown, !scheme, terminal));
    });
}

function asJson({ components, steps }: Vocabulary, withSteps: boolean): string {
  const catalogue = {
    components: components.map(({ scheme, description, options }) => ({
      scheme,
      description,
      options: Object.entries(options).map(([name, option]) => ({
        name,
        type: option.kind,
        default: option.fallback ?? null,
        required: option.required,
        values: option.values ?? null,
        description: option.sentence,
      })),
    })),
    ...(withSteps
      ? { steps: steps.map(({ keyword, aliases, description }) => ({ keyword, aliases, description })) }
      : {}),
  };
  return `${JSON.stringify(catalogue, null, 2)}\n`;
}

function describe({ components, steps }: Vocabulary, withSteps: boolean, terminal: Terminal): string {
  const paint = paintOf(terminal);
  const parts = components.map(({ scheme, description, options }) => {
    const rows = optionRows(options);
    return [paint.bold(`${scheme}://`) + `  ${description}`, ...(rows ? [rows] : ['    (no options)'])].join(
      '\n',
    );
  });
  if (withSteps) {
    const rows = columns(
      steps.map(({ keyword, aliases, description }) => [
        `  ${[keyword, ...aliases].join(', ')}`,
        description,
      ]),
    );
    parts.push(`${paint.bold('Steps')}\n${rows}`);
  }
  return `${parts.join('\n\n')}\n`;
}

function optionRows(options: OptionTable): string {
  return columns(
    Object.entries(options).map(([name, { kind, fallback, values, required, sentence }]) => {
      const type = values ? values.join('|') : kind;
      return [`    ${name}`, type, required ? 'required' : shownDefault(kind, fallback), sentence];
    }),
  );
}

function shownDefault(kind: string, fallback: unknown): string {
  if (typeof fallback === 'string' || typeof fallback === 'boolean') return String(fallback);
  if (typeof fallback !== 'number') return '';
  if (kind !== 'duration') return String(fallback);
  const unit = [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const;
  const fit = unit.find(([, size]) => fallback > 0 && fallback % size === 0);
  return fit ? `${fallback / fit[1]}${fit[0]}` : `${fallback}ms`;
}
