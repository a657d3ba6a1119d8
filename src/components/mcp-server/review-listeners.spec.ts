import { expect, it } from 'vitest';
import { workspaceOf } from '../../common/engine/testing/source.js';
import { reviewListeners } from './review-listeners.js';

function told(...triggers: readonly string[]): readonly string[] {
  const workflows = triggers.map((from, at) => ({ id: `w${at + 1}`, from, steps: [] }));
  const messages: string[] = [];
  reviewListeners(workspaceOf({ workflows }), ({ rule, message }) => messages.push(`${rule}: ${message}`));
  return messages;
}

it.each([
  ['mcp-server://127.0.0.1:8181', 'mcp-server://127.0.0.1:8181/other'],
  ['mcp-server://127.0.0.1:8181', 'http-server://127.0.0.1:8181/orders'],
  ['http-server://127.0.0.1:8181/orders', 'mcp-server://127.0.0.1:8181?name=x'],
  ['mcp-server://stdio', 'mcp-server://stdio'],
])('%s and %s cannot both listen', (first, second) => {
  const [message, ...rest] = told(first, second);
  expect(message).toMatch(
    /^shared-address: The workflow "w1" at .* listens on (127\.0\.0\.1:8181|stdio) already/,
  );
  expect(rest).toEqual([]);
});

it.each([
  ['mcp-server://127.0.0.1:8181', 'mcp-server://127.0.0.1:8182'],
  ['mcp-server://127.0.0.1:0', 'mcp-server://127.0.0.1:0'],
  ['http-server://127.0.0.1:80/a', 'http-server://127.0.0.1:80/b'],
  ['mcp-server://stdio', 'mcp-server://127.0.0.1:8181'],
])('%s and %s can', (first, second) => expect(told(first, second)).toEqual([]));
