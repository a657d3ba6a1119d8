import type { CatalogueCredential } from '../../../../common/dsl/index.js';
import type { Operation, SecurityRequirement, SecurityScheme } from './operation.js';
import type { WireRequest } from './operation-request.js';

type Schemes = Readonly<Record<string, SecurityScheme>>;
type Credentials = Readonly<Record<string, CatalogueCredential>>;

/**
 * The first of an operation's security requirements that the credentials at hand meet; an empty one where it asks for
 * nothing. Null: none is met.
 */
export function metRequirement(
  { security }: Operation,
  schemes: Schemes,
  credentials: Credentials,
): SecurityRequirement | null {
  if (security.length === 0) return [];
  return (
    security.find((one) =>
      one.every((name) => Object.hasOwn(schemes, name) && Object.hasOwn(credentials, name)),
    ) ?? null
  );
}

/** Puts the credentials of a requirement where their schemes say. */
export function authorise(
  request: WireRequest,
  requirement: SecurityRequirement,
  schemes: Schemes,
  credentials: Credentials,
): void {
  for (const name of requirement) {
    const [scheme, credential] = [schemes[name], credentials[name]];
    if (scheme === undefined || credential === undefined) continue;
    const token =
      typeof credential === 'string' ? credential : `${credential.username}:${credential.password}`;
    if (scheme.kind === 'basic')
      request.headers['authorization'] = `Basic ${Buffer.from(token).toString('base64')}`;
    else if (scheme.kind === 'bearer') request.headers['authorization'] = `Bearer ${token}`;
    else if (scheme.section === 'query') request.url.searchParams.set(scheme.name, token);
    else if (scheme.section === 'header') request.headers[scheme.name.toLowerCase()] = token;
    else {
      const cookie = `${scheme.name}=${encodeURIComponent(token)}`;
      const others = request.headers['cookie'];
      request.headers['cookie'] = others === undefined ? cookie : `${others}; ${cookie}`;
    }
  }
}
