import type { OperationRule } from './operation-rule.js';
import { memberRoles, roles as allRoles } from './scope.js';

const credentials = {
  any: 'A browser session is needed; API keys are refused.',
  verified:
    'A browser session of a person whose e-mail address was verified is needed; API keys are refused.',
} as const;

/** Who may use an operation, in sentences for its description in the OpenAPI document. */
export function whoMay(rule: OperationRule): string {
  const { needs, session, scope, roles = memberRoles } = rule;
  if (needs === 'public') return 'Needs no credential.';
  const credential =
    session === undefined ? scope && `An API key needs the scope \`${scope}\`.` : credentials[session];
  const place =
    needs === 'identity'
      ? 'Needs no active workspace.'
      : roles.length === allRoles.length
        ? 'For members, and for collaborators within their projects.'
        : roles.length === memberRoles.length
          ? 'For every member of the workspace.'
          : `For the ${roles.map((role) => `${role}s`).join(' and ')} of the workspace only.`;
  return [place, credential].filter(Boolean).join(' ');
}
