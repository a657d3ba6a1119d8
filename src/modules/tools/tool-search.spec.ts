import { describe, expect, it } from 'vitest';
import type { CatalogueTool } from './tool-descriptor.js';
import { ToolIndex } from './tool-search.js';

function tool(id: string, description: string, fields: readonly string[] = []): CatalogueTool {
  return {
    id,
    provider: 'helix',
    origin: 'native',
    name: id,
    summary: description,
    description,
    inputSchema: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, {}])) },
    outputSchema: null,
    policy: {
      timeoutMs: 1,
      maxResultBytes: 1,
      sideEffects: 'read',
      redispatch: 'safe',
      requiresProject: false,
    },
    pricing: { model: 'free', micros: null, estimateMicros: 0, note: null, accountingService: 'helix' },
    status: 'available',
    statusNote: null,
    docsUrl: null,
  };
}

const index = new ToolIndex([
  tool('send_email', 'Sends a message to a customer.', ['recipient', 'subject']),
  tool('lookup-order', 'Finds an order by its number.', ['orderNumber']),
  tool('create-ticket', 'Opens a ticket; the customer gets an email about it.', ['title']),
  tool('übersetzen', 'Übersetzt einen Text.', ['text']),
]);

function found(text: string | undefined): string[] {
  return index.search(text).map(({ id }) => id);
}

describe('searching tools', () => {
  it('lists every tool by id where nothing is asked', () => {
    const all = ['create-ticket', 'lookup-order', 'send_email', 'übersetzen'];
    expect(found(undefined)).toEqual(all);
    expect(found('  ')).toEqual(all);
  });

  it('puts a match in the id before one in the description', () => {
    expect(found('email')).toEqual(['send_email', 'create-ticket']);
  });

  it('finds words by their beginning, in any case', () => {
    expect(found('TICK')).toEqual(['create-ticket']);
    expect(found('über')).toEqual(['übersetzen']);
  });

  it('finds argument names, also inside camelCase', () => {
    expect(found('recipient')).toEqual(['send_email']);
    expect(found('number')).toEqual(['lookup-order']);
  });

  it('forgives a missing, an added, a wrong and a swapped letter, but not in short words', () => {
    for (const typo of ['tiket', 'tickett', 'tixket', 'tciket'])
      expect(found(typo)).toEqual(['create-ticket']);
    expect(found('xa')).toEqual([]);
  });

  it('ranks tools that match more of the words first', () => {
    expect(found('email customer')[0]).toBe('send_email');
    expect(found('open a ticket for the customer')[0]).toBe('create-ticket');
  });

  it('finds nothing for emoji, and does not fail', () => {
    expect(found('😀'.repeat(500))).toEqual([]);
  });
});
