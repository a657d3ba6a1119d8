import { describe, expect, it } from 'vitest';
import { ToolIndex } from './tool-index.js';
import { toolNamed } from './testing/tool-named.js';

const index = ToolIndex.of([
  toolNamed('send_email', 'Sends a message to a customer.', ['recipient', 'subject']),
  toolNamed('lookup-order', 'Finds an order by its number.', ['orderNumber']),
  toolNamed('create-ticket', 'Opens a ticket; the customer gets an email about it.', ['title']),
  toolNamed('übersetzen', 'Übersetzt einen Text.', ['text']),
]);

function found(text: string): string[] {
  return index.search(text, 30, () => true).tools.map(({ id }) => id);
}

describe('searching tools', () => {
  it('lists every tool by id where nothing is asked', () => {
    const all = ['create-ticket', 'lookup-order', 'send_email', 'übersetzen'];
    expect(found('')).toEqual(all);
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
