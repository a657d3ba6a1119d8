/*
 * The life of the embedded PostgreSQL: made at the first start, started or adopted at every other, watched while it
 * runs, stopped with Helix. The order of the steps is the subject here; each step has its own file.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../../engine/api/ports.js';
import { HelixError } from '../../../engine/errors/helix-error.js';
import { ConfigurationError } from '../../config/configuration-error.js';
import { prepareHome, readIfThere, writePrivately } from '../../config/home.js';
import type { DatabaseAddress } from '../database-address.js';
import { findBinaries } from './binaries.js';
import { holderOf, lockHome, refusal, type HomeLock } from './home-lock.js';
import { choosePlace, type ListeningPlace } from './listening-place.js';
import { takeOwnerLock, type OwnerLock } from './owner-lock.js';
import { disownPostmasterFile, readPostmasterFile } from './postmaster-file.js';
import { isAlive, isListed, servesFolder } from './process-identity.js';
import { chooseRunAs } from './run-as.js';
import {
  lastWords,
  makeDataFolder,
  startServer,
  stopServer,
  superuser,
  type ServerFolder,
} from './server-process.js';

export interface EmbeddedSettings {
  readonly home: string;
  readonly log: Log;
  /**
   * `own` = be the one Helix of this home. `visit` = join the one that runs, or own the home for the moment where
   * none does: for commands such as `helix keys list`.
   */
  readonly role?: 'own' | 'visit';
  readonly isDurable?: boolean;
}

export interface EmbeddedDatabase {
  readonly address: DatabaseAddress;
  /** `adopted`: the server of an earlier Helix that was killed; `visited`: that of a Helix that runs. */
  readonly origin: 'made' | 'started' | 'adopted' | 'visited';
  /** Gives the home free; stops the server unless it is another's. */
  close(): Promise<void>;
}

const databaseName = 'helix';
/** Replaying the log after a hard stop can take long; while the server lives, it is waited for. */
const startPatienceMs = 300_000;

/**
 * Opens the embedded database of a home.
 * @throws ConfigurationError where another Helix uses the home or this machine cannot run PostgreSQL
 */
export async function openEmbeddedDatabase(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const { home, role = 'own' } = settings;
  await prepareHome(home);
  if (role === 'visit' && (await holderOf(home)) !== undefined) return visit(home);
  const lock = await lockHome(home);
  try {
    return await new Supervisor(settings, lock).open();
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function visit(home: string): Promise<EmbeddedDatabase> {
  const place = (await readPostmasterFile(join(home, 'postgres')))?.place;
  const password = await readIfThere(home, 'database-password');
  if (place === undefined || password === undefined)
    throw new ConfigurationError([
      `The Helix of ${home} is just starting or stopping; try again in a moment.`,
    ]);
  const address = addressOf(place, password.trim());
  return { address, origin: 'visited', close: () => Promise.resolve() };
}

function addressOf({ host, port }: ListeningPlace, password: string): DatabaseAddress {
  return { host, port, user: superuser, password, database: databaseName };
}

class Supervisor {
  readonly #home: string;
  readonly #data: string;
  readonly #log: Log;
  readonly #isDurable: boolean;
  readonly #homeLock: HomeLock;
  #folder: ServerFolder;
  #place: ListeningPlace;
  #pid = 0;
  #hasStarted = false;
  #owner: OwnerLock | undefined;
  #isClosing = false;
  #mending: Promise<void> | undefined;

  constructor(settings: EmbeddedSettings, homeLock: HomeLock) {
    this.#home = settings.home;
    this.#data = join(settings.home, 'postgres');
    this.#log = settings.log;
    this.#isDurable = settings.isDurable ?? true;
    this.#homeLock = homeLock;
  }

  async open(): Promise<EmbeddedDatabase> {
    const binaries = await findBinaries();
    const runAs = await chooseRunAs(this.#home, this.#data, binaries);
    const isNew = !existsSync(this.#data);
    const password = await this.#password(isNew);
    this.#folder = { data: this.#data, password, binaries, runAs, isDurable: this.#isDurable };
    if (isNew) {
      this.#log.write('info', `Making the embedded database in ${this.#data}.`);
      await makeDataFolder(this.#folder);
    }
    const adopted = await this.#bringUp(undefined).catch(async (error: unknown) => {
      // Only what was started here: a server that was found running belongs to whoever uses it.
      if (this.#hasStarted) await stopServer(this.#pid, this.#data, binaries);
      throw error;
    });
    return {
      address: addressOf(this.#place, password),
      origin: isNew ? 'made' : adopted ? 'adopted' : 'started',
      close: () => this.#close(),
    };
  }

  /** The password is remembered beside the data; data without it cannot be entered, so it is not made anew. */
  async #password(isNew: boolean): Promise<string> {
    const path = join(this.#home, 'database-password');
    const known = (await readIfThere(path))?.trim();
    if (known) return known;
    if (!isNew)
      throw new ConfigurationError([
        `${path} is missing while the database in ${this.#data} exists: put the file back from your backup.`,
      ]);
    const fresh = randomBytes(24).toString('base64url');
    await writePrivately(path, `${fresh}\n`);
    return fresh;
  }

  /**
   * Adopts the server that runs on the folder or starts one, then takes the owner's lock.
   * @param fixed where to listen when clients already know the address
   * @returns whether a running server was adopted
   */
  async #bringUp(fixed: ListeningPlace | undefined): Promise<boolean> {
    const running = await this.#findRunning();
    if (running === undefined) {
      this.#place = fixed ?? (await choosePlace(this.#data, this.#folder.runAs));
      await this.#start();
    } else {
      this.#pid = running;
      this.#place = await this.#placeOf(running);
      await this.#untilReady();
      this.#log.write('info', 'Adopted the embedded database that an earlier Helix left running.', {
        pid: running,
      });
    }
    await this.#ensureDatabase();
    this.#owner = await takeOwnerLock(addressOf(this.#place, this.#folder.password), 3_000);
    if (this.#owner === undefined) throw refusal(this.#home, undefined);
    this.#owner.onLost(() => this.#mend());
    return running !== undefined;
  }

  async #findRunning(): Promise<number | undefined> {
    const file = await readPostmasterFile(this.#data);
    if (file === undefined) return undefined;
    if (servesFolder(file.pid, this.#data)) return file.pid;
    // A server in another container over the same volume has no process number here, yet it answers.
    if (file.place !== undefined && (await this.#answers(file.place))) throw refusal(this.#home, undefined);
    if (isListed(file.pid)) await disownPostmasterFile(this.#data);
    return undefined;
  }

  async #placeOf(pid: number): Promise<ListeningPlace> {
    const deadline = performance.now() + startPatienceMs;
    while (isAlive(pid) && performance.now() < deadline) {
      const place = (await readPostmasterFile(this.#data))?.place;
      if (place !== undefined) return place;
      await wait(20);
    }
    throw new HelixError(
      'PLATFORM.DATABASE_UNAVAILABLE',
      'The embedded database went away; start Helix again.',
    );
  }

  async #start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.#pid = await startServer(this.#folder, this.#place);
      this.#hasStarted = true;
      if (await this.#untilReady()) return;
      const said = await lastWords(this.#data);
      // A server that was just killed, and its backends, hold its files and shared memory for a moment.
      if (attempt >= 20 || !/shared memory block|lock file/.test(said))
        throw new HelixError(
          'PLATFORM.DATABASE_UNAVAILABLE',
          `The embedded database did not start. Its log ${this.#data}.log ends with:\n${said}`,
        );
      await wait(250);
      await this.#findRunning();
    }
  }

  /** @returns false if the server ended instead */
  async #untilReady(): Promise<boolean> {
    const deadline = performance.now() + startPatienceMs;
    while (isAlive(this.#pid)) {
      if (await this.#answers(this.#place)) return true;
      if (performance.now() > deadline) break;
      await wait(15);
    }
    return false;
  }

  async #answers(place: ListeningPlace): Promise<boolean> {
    try {
      await this.#query(place, 'postgres', 'SELECT 1');
      return true;
    } catch (error) {
      // It is up, but this password is not its own: waiting would not help.
      if ((error as { code?: string }).code === '28P01')
        throw new ConfigurationError([
          `${join(this.#home, 'database-password')} does not open the database in ${this.#data}: put back the file ` +
            'that belongs to it.',
        ]);
      return false;
    }
  }

  async #ensureDatabase(): Promise<void> {
    const found = await this.#query(
      this.#place,
      'postgres',
      `SELECT FROM pg_database WHERE datname = '${databaseName}'`,
    );
    if (found === 0) await this.#query(this.#place, 'postgres', `CREATE DATABASE ${databaseName}`);
  }

  async #query(place: ListeningPlace, database: string, statement: string): Promise<number | null> {
    const client = new Client({
      ...addressOf(place, this.#folder.password),
      database,
      connectionTimeoutMillis: 5_000,
    });
    // An error after connect also rejects the query; the event alone would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(statement)).rowCount;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** The server went away under us: start it again, at the address its clients know. */
  #mend(): void {
    if (this.#isClosing || this.#mending) return;
    this.#log.write('error', 'The embedded database went away; starting it again.');
    this.#mending = (async () => {
      for (let delay = 100; !this.#isClosing; delay = Math.min(delay * 2, 5_000)) {
        try {
          await this.#bringUp(this.#place);
          this.#log.write('info', 'The embedded database is back.');
          return;
        } catch (error) {
          this.#log.write('error', 'The embedded database did not come back; trying again.', { error });
          await wait(delay);
        }
      }
    })().finally(() => (this.#mending = undefined));
  }

  async #close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    await this.#mending;
    await this.#owner?.release();
    await stopServer(this.#pid, this.#data, this.#folder.binaries);
    const isTemporary = this.#place.host !== this.#data && basename(this.#place.host).startsWith('helix-');
    if (isTemporary) await rm(this.#place.host, { recursive: true, force: true });
    await this.#homeLock.release();
  }
}
