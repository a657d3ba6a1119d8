import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, environmentWrong } from '../failure.js';

/** Writes files into a folder that does not exist yet or is empty: nothing that is there is ever overwritten. */
export async function writeNew(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const present = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandFailure(
      `${folder} cannot be used (${error.code}): name a folder that does not exist yet.`,
    );
  });
  if (present.length > 0)
    throw new CommandFailure(`${folder} is not empty: name a folder that does not exist yet.`);
  try {
    await mkdir(folder, { recursive: true });
    // `wx`: whoever was quicker keeps what they wrote.
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, { flag: 'wx' });
  } catch (error) {
    throw environmentWrong(`${folder} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
