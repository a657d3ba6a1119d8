import {
  choice,
  duration,
  flag,
  integer,
  type Option,
  type OptionValues,
} from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';

const ofConsumer = {
  size: integer('Trigger: messages the queue holds at most.', 1000, { minimum: 1 }),
  'concurrent-consumers': integer('Trigger: messages worked on at the same time.', 1, { minimum: 1 }),
  'multiple-consumers': flag(
    'Trigger: several workflows listen on the name and each gets every message (publish and subscribe).',
  ),
};

const ofProducer = {
  wait: choice(
    'Target: whether to wait for the result: only where a reply is expected, always, or never.',
    ['if-reply-expected', 'always', 'never'],
    'if-reply-expected',
  ),
  timeout: duration(
    'Target: how long to wait for a place in the queue and for the result; 0 means without a limit. A message not yet begun is taken back.',
    30_000,
  ),
  'block-when-full': flag('Target: wait for a place in a full queue instead of failing at once.'),
};

export const sedaOptions = {
  ...ofConsumer,
  ...ofProducer,
} satisfies Readonly<Record<string, Option<unknown>>>;

export type SedaOptions = OptionValues<typeof sedaOptions>;

/**
 * An option means something on one end only; on the other it would be a silent mistake.
 * @throws HelixError `WORKSPACE.WRONG_OPTION`
 */
export function refuseForeign(uri: EndpointUri, end: 'trigger' | 'target'): void {
  const foreign = end === 'trigger' ? ofProducer : ofConsumer;
  for (const name of uri.options.keys()) {
    if (!Object.hasOwn(foreign, name)) continue;
    const other = end === 'trigger' ? 'targets' : 'the trigger';
    throw new HelixError(
      'WORKSPACE.WRONG_OPTION',
      `"${name}" is an option of ${other} of seda://${uri.path}: write it there.`,
      { details: { option: name } },
    );
  }
}
