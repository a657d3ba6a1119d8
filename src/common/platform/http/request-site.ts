import type { IncomingHttpHeaders } from 'node:http';

/**
 * Where a request was made: by a page of this deployment (or by a person typing the address), by a page of another
 * site, or by something that does not say, which no browser is that sends cookies along. Fetch Metadata decides where
 * the browser sends it (W3C Fetch Metadata Request Headers, section 2.3), else Origin (RFC 6454, section 7.3).
 * @param publicUrl how callers reach this deployment, where a proxy in front changes the Host
 */
export function requestSite(
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): 'own' | 'foreign' | 'unknown' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  const { origin, host } = headers;
  if (origin === undefined) return 'unknown';
  const page = URL.canParse(origin) ? new URL(origin) : null;
  if (page === null) return 'foreign';
  const isOwn = page.host === host?.toLowerCase() || page.origin === (publicUrl && new URL(publicUrl).origin);
  return isOwn ? 'own' : 'foreign';
}
