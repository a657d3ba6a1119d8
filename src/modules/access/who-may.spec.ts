import { expect, test } from 'vitest';
import { administrators, roles } from './scope.js';
import { whoMay } from './who-may.js';

const workspace = { id: 'x', needs: 'workspace' } as const;

test.each([
  [{ id: 'x', needs: 'public' } as const, 'Needs no credential.'],
  [
    { id: 'x', needs: 'identity', session: 'any' } as const,
    'Needs no active workspace. A browser session is needed; API keys are refused.',
  ],
  [
    { ...workspace, scope: 'calls:read' } as const,
    'For every member of the workspace. An API key needs the scope `calls:read`.',
  ],
  [{ ...workspace, roles }, 'For members, and for collaborators within their projects.'],
  [{ ...workspace, roles: administrators }, 'For the owners and admins of the workspace only.'],
])('%j', (rule, sentences) => {
  expect(whoMay(rule)).toBe(sentences);
});
