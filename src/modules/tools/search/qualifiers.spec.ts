import { describe, expect, it } from 'vitest';
import { parseQualifiers } from './qualifiers.js';
import { toolNamed } from './testing/tool-named.js';

const reading = toolNamed('read_mail', 'Reads.');
const writing = { ...reading, policy: { ...reading.policy, sideEffects: 'write' as const } };

describe('qualifiers in a search text', () => {
  it('narrow the search and are no words of it', () => {
    const { text, accepts } = parseQualifiers('mail effects:read  Price:FREE inbox');
    expect(text).toBe('mail inbox');
    expect(accepts(reading)).toBe(true);
    expect(accepts(writing)).toBe(false);
  });

  it.each(['https://example.com', 'effects:', 'effects:none', 'constructor:read', 'note: urgent'])(
    'leave "%s" as it is',
    (text) => {
      expect(parseQualifiers(text).text).toBe(text);
      expect(parseQualifiers(text).accepts(writing)).toBe(true);
    },
  );
});
