import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error.js';
import type { HelixConfig, KeyringEntry } from '../config/helix-config.js';
import { readIfThere, writePrivately } from '../config/home.js';
import { keyringRule, parseKeyring } from '../config/keyring-text.js';
import type { HelixLog } from '../logging/helix-log.js';
import { Envelope } from './envelope.js';
import { KeyringCanaryEntity } from './keyring-canary.entity.js';
import { Keyring } from './keyring.js';

const canary = 'the keyring fits';
const placeOf = (keyId: string) => ['helix.keyring_canary.v1', keyId];

/**
 * Reads the keyring and proves it against the canary rows before anything is encrypted or decrypted with it.
 *
 * A key is generated for a new home with the embedded database and at no other time: a fresh key beside old data would
 * make every stored secret unreadable, and nobody would know why.
 * @throws ConfigurationError where the ring is missing, malformed, or not the one of this database
 */
export async function openKeyring(
  config: HelixConfig,
  dataSource: DataSource,
  log: HelixLog,
): Promise<Keyring> {
  const rows = await dataSource.manager.find(KeyringCanaryEntity);
  const file = config.keyringFile ?? join(config.home, 'keyring');
  const entries = await readEntries(config, file, rows.length > 0);
  for (const { key } of entries) log.secrets.add(key.toString('base64'));
  const keyring = new Keyring(entries);
  await prove(keyring, rows, dataSource, config.keyring === undefined ? file : 'HELIX_KEYRING');
  return keyring;
}

async function readEntries(config: HelixConfig, file: string, hasData: boolean): Promise<KeyringEntry[]> {
  if (config.keyring !== undefined) return parseKeyring(config.keyring.reveal()) ?? [];
  const text = await readIfThere(file);
  if (text !== undefined) {
    const entries = parseKeyring(text);
    if (entries === undefined) throw new ConfigurationError([`${file} must hold ${keyringRule}.`]);
    return entries;
  }
  if (config.keyringFile !== undefined)
    throw new ConfigurationError([`HELIX_KEYRING_FILE names ${file}, which is not there.`]);
  if (hasData || config.databaseUrl !== undefined)
    throw new ConfigurationError([
      `${file} is missing while the database holds data encrypted with it: put it back from your backup. ` +
        'A new key would leave every stored secret unreadable.',
    ]);
  const key = randomBytes(32);
  await writePrivately(file, `k1:${key.toString('base64')}\n`);
  return [{ id: 'k1', key }];
}

/** Every key of the ring that has a canary must open it; a ring none of whose keys is known belongs elsewhere. */
async function prove(
  keyring: Keyring,
  rows: readonly KeyringCanaryEntity[],
  dataSource: DataSource,
  origin: string,
): Promise<void> {
  const envelope = new Envelope(keyring);
  const known = rows.filter(({ keyId }) => keyring.has(keyId));
  if (rows.length > 0 && known.length === 0)
    throw new ConfigurationError([
      `${origin} holds none of the keys of this database (${rows.map(({ keyId }) => keyId).join(', ')}): ` +
        'bring the keyring that belongs to it.',
    ]);
  for (const { keyId, sealed } of known) {
    const opened = await envelope.open(sealed, placeOf(keyId)).catch(() => undefined);
    if (opened?.reveal() !== canary)
      throw new ConfigurationError([
        `The key ${keyId} of ${origin} is not the key of that name which this database was encrypted with: ` +
          'bring the keyring that belongs to it.',
      ]);
  }
  if (known.some(({ keyId }) => keyId === keyring.activeId)) return;
  const sealed = await envelope.seal(canary, placeOf(keyring.activeId));
  await dataSource
    .createQueryBuilder()
    .insert()
    .into(KeyringCanaryEntity)
    .values({ keyId: keyring.activeId, sealed })
    .orIgnore()
    .execute();
}
