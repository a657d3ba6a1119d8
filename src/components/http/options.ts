import {
  choice,
  duration,
  flag,
  integer,
  list,
  map,
  text,
  type OptionValues,
} from '../../common/engine/api/options.js';

export const httpOptions = {
  method: choice('Method; without it GET for an empty body and POST for any other.', [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
  ]),
  headers: map('Headers sent with every request, e.g. X-API-Key.', { secret: true }),
  bearer: text('Token sent as "Authorization: Bearer".', null, { secret: true }),
  query: map('Query parameters sent with every request.'),
  'content-type': text('Content type of what is sent; without it by the body: JSON, text or bytes.'),
  'send-headers': list('Names of headers of the message that are sent along; others never leave.'),
  timeout: duration('How long the whole call may take, redirects included.', 30_000),
  'max-response-bytes': integer('Largest body of a reply.', 10_485_760, { minimum: 0 }),
  redirects: choice(
    'Whether redirects are followed: to the same host, to any (without headers and token), or not at all.',
    ['same-host', 'any', 'none'],
    'same-host',
  ),
  'throw-on-error': flag('Whether a status of 400 and above is a failure of the step.', true),
};

export type HttpOptions = OptionValues<typeof httpOptions>;
