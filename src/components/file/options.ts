import {
  choice,
  duration,
  flag,
  integer,
  list,
  text,
  type OptionValues,
} from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { isInside } from './places.js';

export const fileOptions = {
  'file-name': text('Target: name of the file; the header HelixFileName comes first.'),
  exists: choice(
    'Target: what to do where there is such a file already.',
    ['replace', 'append', 'keep', 'fail'],
    'replace',
  ),
  include: list('Trigger: names to read, such as *.json; without it all.'),
  as: choice('Trigger: what the content becomes.', ['text', 'json', 'bytes'], 'text'),
  period: duration('Trigger: how often the folder is looked at.', 1000),
  'stable-for': duration('Trigger: how long a file must not have changed before it is read.', 1000),
  'max-bytes': integer('Trigger: larger files are put with the failed ones, unread.', 104_857_600, {
    minimum: 0,
  }),
  done: text('Trigger: folder below it into which files go when their workflow has succeeded.', '.done'),
  failed: text('Trigger: folder below it into which files go when their workflow has failed.', '.failed'),
  delete: flag('Trigger: delete files when their workflow has succeeded instead of moving them.'),
};

export type FileOptions = OptionValues<typeof fileOptions>;

/** @throws HelixError `WORKSPACE.WRONG_OPTION` */
export function checkOptions(options: FileOptions): void {
  for (const name of ['done', 'failed'] as const) {
    if (!isInside(options[name])) throw wrong(name, 'must be a folder below the one that is read');
  }
  if (options['file-name'] !== null && !isInside(options['file-name'])) {
    throw wrong('file-name', 'must be a name below the folder, without ..');
  }
  if (options.period < 1) throw wrong('period', 'must be at least 1ms');
}

function wrong(option: string, why: string): HelixError {
  return new HelixError('WORKSPACE.WRONG_OPTION', `The option "${option}" ${why}.`, { details: { option } });
}
