import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scriptCheck } from './check-script.js';
import { workspaceModules } from './workspace-modules.js';
import { workspaceResources } from './workspace-resources.js';

const folder = mkdtempSync(join(tmpdir(), 'helix-modules-'));
mkdirSync(join(folder, 'orders'));
writeFileSync(join(folder, 'orders', 'Prices.sl'), 'fun gross(net) = net * 1.2');
writeFileSync(join(folder, 'Brought.dwl'), '%dw 2.0\nvar answer = 42');
writeFileSync(join(folder, 'Picture.sl'), Buffer.from([0xff, 0x00]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('finds the file of a module below the workspace', () => {
  const read = workspaceModules(workspaceResources([folder]));
  expect(read('orders::Prices')).toContain('gross');
  expect(read('Brought')).toContain('answer');
  expect(read('orders::Nobody')).toBeUndefined();
  expect(read('Picture')).toBeUndefined();
});

it('lets a script of the workspace import it, and says what is wrong with one', () => {
  const check = scriptCheck([folder]);
  expect(check('import * from orders::Prices\n---\ngross(payload.net) + Brought::answer')).toEqual({
    errors: [],
    warnings: [],
  });
  expect(check('import * from orders::Price\n---\n1').errors[0]?.message).toBe(
    'The module "orders::Price" is not known',
  );
});
