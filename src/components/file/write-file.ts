import { appendFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { FileOptions } from './options.js';
import { isInside, liesIn } from './places.js';

/** Names that a reader of the folder passes over: files on their way. */
export const partial = '.part';

/**
 * Writes the body. The file appears whole or not at all: it is written under another name, and gets its own when its
 * content is safely there.
 * @param unique makes the other name, so that two writers of one name do not meet
 * @returns the path
 * @throws HelixError `FILE.NOT_WRITTEN`
 */
export async function writeMessage(
  folder: string,
  exchange: Exchange,
  options: FileOptions,
  unique: string,
): Promise<string> {
  const name = exchange.headers.text('HelixFileName') ?? options['file-name'];
  if (name === null) throw notWritten('it has no name: set the header HelixFileName or the option file-name');
  if (!isInside(name)) throw notWritten('its name leads out of the folder');
  const path = join(folder, name);
  try {
    await mkdir(dirname(path), { recursive: true });
    if (!(await liesIn(dirname(path), folder))) throw notWritten('its name leads out of the folder');
    const content = contentOf(exchange);
    if (options.exists === 'append') await appendFile(path, content);
    else await place(path, content, options.exists, unique);
  } catch (thrown) {
    if (thrown instanceof HelixError) throw thrown;
    throw notWritten(thrown instanceof Error ? thrown.message : String(thrown), thrown);
  }
  return path;
}

async function place(
  path: string,
  content: string | Uint8Array,
  exists: FileOptions['exists'],
  unique: string,
): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${unique}${partial}`);
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    if (exists === 'replace') await rename(draft, path);
    else await linkOnce(draft, path, exists === 'keep');
  } finally {
    await rm(draft, { force: true });
  }
}

/** A link fails where the name is taken, in one step with the check. */
async function linkOnce(draft: string, path: string, isContent: boolean): Promise<void> {
  try {
    await link(draft, path);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    if (!isContent) throw notWritten('there is a file of that name already', thrown);
  }
}

function contentOf({ in: message }: Exchange): string | Uint8Array {
  return message.body instanceof Uint8Array ? message.body : message.bodyAsString();
}

function notWritten(why: string, cause?: unknown): HelixError {
  return new HelixError('FILE.NOT_WRITTEN', `The file was not written: ${why}.`, { cause });
}
