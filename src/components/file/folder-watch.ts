import type { Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Route } from '../../common/engine/api/component.js';
import type { Clock, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { systemCaller } from '../../common/engine/model/caller.js';
import type { FileOptions } from './options.js';
import { freePlace, namePattern } from './places.js';
import { partial } from './write-file.js';

export interface WatchInit {
  readonly folder: string;
  readonly route: Route;
  readonly options: FileOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** Paths that some watch is working on. */
  readonly inHand: Set<string>;
}

interface Sighting {
  readonly size: number;
  readonly changed: number;
  readonly since: number;
  /** It was worked on, and could not be put away: it must change before it is read again. */
  isSettled: boolean;
}

/**
 * Looks at a folder again and again, and hands each file that stands still to the workflow: one after another by name,
 * whole, and out of the folder afterwards.
 */
export class FolderWatch {
  readonly #seen = new Map<string, Sighting>();
  readonly #patterns: readonly RegExp[];
  #unschedule: (() => void) | null = null;
  #isOn = false;
  #isAway = false;
  /** The look on its way. It ends by itself after a stop, when the file in hand is put away. */
  looking: Promise<void> = Promise.resolve();

  constructor(private readonly init: WatchInit) {
    this.#patterns = init.options.include.map(namePattern);
  }

  /** @throws HelixError `WORKSPACE.INVALID` where there is no such folder */
  async start(): Promise<void> {
    const { folder } = this.init;
    try {
      await readdir(folder);
    } catch (cause) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        `The folder ${folder} cannot be read: make it, or correct the path.`,
        {
          cause,
        },
      );
    }
    this.#isOn = true;
    this.#arm();
  }

  stop(): void {
    this.#isOn = false;
    this.#unschedule?.();
    this.#unschedule = null;
  }

  #arm(): void {
    this.#unschedule = this.init.clock.schedule(this.init.options.period, () => {
      this.looking = this.#look();
    });
  }

  async #look(): Promise<void> {
    try {
      for (const name of await this.#ready()) {
        if (!this.#isOn) return;
        await this.#take(name);
      }
      this.#isAway = false;
    } catch (thrown) {
      // Once, not at every look: a folder may be away for hours.
      if (!this.#isAway) this.#tell('cannot be read now', this.init.folder, thrown);
      this.#isAway = true;
    }
    if (this.#isOn) this.#arm();
  }

  /** The files that have not changed for long enough, by name. */
  async #ready(): Promise<readonly string[]> {
    const { folder, options, clock } = this.init;
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && this.#isWanted(entry.name))
      .map(({ name }) => name)
      .sort();
    for (const name of this.#seen.keys()) if (!names.includes(name)) this.#seen.delete(name);
    const ready: string[] = [];
    for (const name of names) {
      const { size, mtimeMs: changed } = await lstat(join(folder, name));
      const known = this.#seen.get(name);
      const isSame = known?.size === size && known.changed === changed;
      const since = isSame ? known.since : clock.now();
      if (!isSame) this.#seen.set(name, { size, changed, since, isSettled: false });
      if (clock.now() - since >= options['stable-for'] && !(isSame && known.isSettled)) ready.push(name);
    }
    return ready;
  }

  #isWanted(name: string): boolean {
    if (name.startsWith('.') || name.endsWith(partial)) return false;
    return this.#patterns.length === 0 || this.#patterns.some((pattern) => pattern.test(name));
  }

  async #take(name: string): Promise<void> {
    const { folder, inHand } = this.init;
    const path = join(folder, name);
    if (inHand.has(path)) return;
    inHand.add(path);
    try {
      await this.#work(name);
    } finally {
      inHand.delete(path);
    }
  }

  async #work(name: string): Promise<void> {
    const { folder, route, options } = this.init;
    const path = join(folder, name);
    let failure: HelixError | null;
    try {
      const read = await this.#read(path, name);
      if (read === null) return;
      const { stats, body } = read;
      const exchange = route.exchange({
        pattern: 'InOnly',
        caller: systemCaller,
        body,
        headers: {
          HelixFileName: name,
          HelixFilePath: path,
          HelixFileSize: stats.size,
          HelixFileChangedAt: Math.round(stats.mtimeMs),
        },
      });
      await route.run(exchange);
      ({ failure } = exchange);
    } catch (thrown) {
      failure = HelixError.from(thrown);
      this.#tell('could not be read', name, thrown);
    }
    // Cut off by the stop: it is read again at the next start.
    if (failure?.code === 'ENGINE.STOPPING') return;
    await this.#putAway(path, name, failure === null ? options.done : options.failed, failure === null);
  }

  /** Null where the file is gone, or changed while it was read: then it is not whole, and its time comes again. */
  async #read(path: string, name: string): Promise<{ readonly stats: Stats; readonly body: unknown } | null> {
    const { options } = this.init;
    let file;
    try {
      file = await open(path, 'r');
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
      throw thrown;
    }
    try {
      const stats = await file.stat();
      if (stats.size > options['max-bytes']) {
        throw new HelixError(
          'WORKSPACE.INVALID',
          `it is larger than ${options['max-bytes']} bytes (max-bytes)`,
        );
      }
      const bytes = await file.readFile();
      const after = await file.stat();
      const known = this.#seen.get(name);
      if (
        after.size !== bytes.length ||
        after.mtimeMs !== stats.mtimeMs ||
        known?.changed !== stats.mtimeMs
      ) {
        this.#seen.delete(name);
        return null;
      }
      return { stats, body: decode(bytes, options.as) };
    } finally {
      await file.close();
    }
  }

  async #putAway(path: string, name: string, to: string, succeeded: boolean): Promise<void> {
    const { folder, options } = this.init;
    try {
      if (succeeded && options.delete) await rm(path, { force: true });
      else {
        const place = join(folder, to);
        await mkdir(place, { recursive: true });
        await rename(path, await freePlace(place, name));
      }
      this.#seen.delete(name);
    } catch (thrown) {
      const sighting = this.#seen.get(name);
      if (sighting) sighting.isSettled = true;
      this.#tell('could not be put away, and is not read again until it changes', name, thrown);
    }
  }

  #tell(what: string, name: string, thrown: unknown): void {
    const { route, log } = this.init;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    log.write('warn', `file:// "${name}" ${what}: ${reason}`, { workflow: route.workflow.id });
  }
}

function decode(bytes: Buffer, as: FileOptions['as']): unknown {
  if (as === 'bytes') return bytes;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return as === 'json' ? (JSON.parse(text) as unknown) : text;
}
