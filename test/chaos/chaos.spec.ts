import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { WorkspaceDefinition } from '../../src/common/engine/model/workflow-definition.js';
import type { Engine } from '../../src/common/engine/runtime/engine.js';
import { freePort } from '../support/free-port.js';
import { ask } from './client.js';
import { Dice, turns } from './dice.js';
import { Ledger } from './ledger.js';
import { chaosEngine } from './stand.js';

/** `CHAOS_SEED` throws the same dice again; `CHAOS_ACTS` makes it longer than CI has time for. */
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 2 ** 32);
const acts = Number(process.env['CHAOS_ACTS'] ?? 2000);
const actors = 24;

interface Scene {
  readonly engine: Engine;
  readonly dice: Dice;
  readonly ledger: Ledger;
  readonly port: number;
  /** The workspace as its n-th version has it. */
  readonly version: (number: number) => WorkspaceDefinition;
  /** Of a caller who stays for the whole play. */
  readonly signal: AbortSignal;
}

async function run({ engine, dice, ledger, signal }: Scene): Promise<void> {
  const leaves = dice.next() < 0.3;
  const caller = new AbortController();
  const exchange = engine.exchange('flow', { body: { n: 1 }, signal: leaves ? caller.signal : signal });
  ledger.outcomes.started++;
  const running = engine.run('flow', exchange);
  if (leaves) void turns(dice.below(20)).then(() => caller.abort());
  await running;
  ledger.close(exchange);
}

/** A letter counts as accepted when its sender was told so. */
async function handIn({ engine, dice, ledger }: Scene): Promise<void> {
  const letter = ledger.outcomes.started++;
  const way = dice.pick({ 'hand-in': 1, 'wait-and-hand-in': 1 });
  const exchange = engine.exchange(way, { pattern: 'InOnly', body: letter });
  await engine.run(way, exchange);
  ledger.close(exchange);
  if (exchange.failure === null) ledger.accepted.push(letter);
}

let restarting = false;

async function restart({ engine, dice, ledger }: Scene): Promise<void> {
  if (restarting) return;
  restarting = true;
  const id = dice.pick({ front: 1, flow: 1, inner: 1, work: 1, letters: 1 });
  await engine.restart(id, { timeoutMs: 1000 });
  ledger.restarts++;
  restarting = false;
}

/** Beside restarts too: whichever asks later has its turn later. */
async function reload({ engine, ledger, version }: Scene): Promise<void> {
  await engine.reload(version(++ledger.reloads + 1));
}

it(
  `accounts for everything, whatever happens (CHAOS_SEED=${seed})`,
  { timeout: 20_000 + acts * 20 },
  async () => {
    const [dice, ledger, port] = [new Dice(seed), new Ledger(), await freePort()];
    const { engine, clock, log, version } = await chaosEngine(dice, ledger, port);
    const { signal } = new AbortController();
    const scene: Scene = { engine, dice, ledger, port, version, signal };
    let left = acts;
    const actor = async (): Promise<void> => {
      while (left-- > 0) {
        const act = dice.pick({ ask: 40, run: 40, handIn: 18, restart: 2, reload: 2 });
        if (act === 'ask') await ask(port, dice, ledger);
        else await { run, handIn, restart, reload }[act](scene);
      }
    };
    await Promise.all(Array.from({ length: actors }, actor));
    const { stuck } = await engine.stop({ timeoutMs: 5000 });

    expect(ledger.gaps()).toEqual([]);
    expect([stuck, engine.inFlight(), clock.pending]).toEqual([[], [], 0]);
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
    expect(log.messages('error').filter((line) => line !== 'A request failed.')).toEqual([]);
    // It was chaos indeed: each kind of end was seen, letters were refused, workflows restarted and replaced.
    const { completed, failed, aborted } = ledger.outcomes;
    expect(
      Math.min(completed, failed, aborted, ledger.restarts, ledger.reloads, ledger.clients.left),
    ).toBeGreaterThan(5);
  },
);

it('would find what is lost, doubled or left open', () => {
  const ledger = new Ledger();
  ledger.outcomes.started = 1;
  ledger.steps.begun = 1;
  ledger.clients.sent = 1;
  ledger.accepted.push(1, 2);
  ledger.worked.push(1, 1);
  ledger.mixed = 1;
  expect(ledger.gaps()).toHaveLength(5);
});
