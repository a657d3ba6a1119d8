import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { HttpAnswer, HttpCaller, HttpCallRequest } from './http-caller.js';
import type { HttpOptions } from './options.js';

const mostRedirects = 5;
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Calls, and follows redirects as far as they may go (RFC 9110, 15.4): to the same host never from https to http; to
 * another host, where that is allowed at all, without any header that could be a credential.
 * @throws HelixError as {@link HttpCaller.call}
 */
export async function follow(
  caller: HttpCaller,
  first: HttpCallRequest,
  redirects: HttpOptions['redirects'],
): Promise<HttpAnswer> {
  let request = first;
  for (let hops = 0; ; hops++) {
    const answer = await caller.call(request);
    const location = answer.headers['location'];
    if (!redirecting.has(answer.status) || location === undefined || redirects === 'none') return answer;
    if (hops >= mostRedirects) throw refused(`${first.url.host} redirects more than ${mostRedirects} times.`);
    request = redirected(request, answer.status, location, redirects);
  }
}

function redirected(
  request: HttpCallRequest,
  status: number,
  location: string,
  redirects: HttpOptions['redirects'],
): HttpCallRequest {
  const { url: from } = request;
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    throw refused(`${from.host} redirects to what is no address.`);
  }
  url.username = '';
  url.password = '';
  const isSame = url.origin === from.origin || isUpgrade(from, url);
  if (!isSame && redirects !== 'any') {
    throw refused(
      `${from.host} redirects to ${url.protocol}//${url.host}, which is another host: call that one, or set redirects=any.`,
    );
  }
  const keepsMethod =
    status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD';
  const bodyless = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name !== 'content-type'),
  );
  const headers = keepsMethod ? request.headers : bodyless;
  return {
    ...request,
    url,
    headers: isSame ? headers : withoutCredentials(headers),
    ...(keepsMethod ? {} : { method: 'GET', body: null }),
  };
}

/** The same host, from its usual http port to its usual https port. */
function isUpgrade(from: URL, to: URL): boolean {
  return (
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === ''
  );
}

/** A key may stand in a header of any name: only those that cannot hold one stay. */
function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  const harmless = new Set(['accept', 'user-agent', 'content-type']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
}

function refused(message: string): HelixError {
  return new HelixError('HTTP.TARGET_REFUSED', message);
}
