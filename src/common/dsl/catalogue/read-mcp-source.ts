import { dirname, resolve } from 'node:path';
import { readShape } from '../../engine/api/fields/index.js';
import type { ShapeValues } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';
import { mcpShape } from './catalogue-shape.js';
import type { McpServerAddress, McpSource } from './catalogue-source.js';
import { readEnv, readHeaders, warnOfWrittenSecret } from './read-entries.js';

type Values = ShapeValues<typeof mcpShape>;

const tokenForm = /^[\x21-\x7e]+$/;
const prefixForm = /^[A-Za-z0-9_.-]{0,32}$/;

export function readMcpSource(name: string, value: SourceNode, reader: FieldReader): McpSource | null {
  const values = readShape(value, mcpShape, reader);
  if (values.mcp === '') return null;
  const server = /^[a-z][a-z0-9+.-]*:\/\//i.test(values.mcp)
    ? networkServer(values, value, reader)
    : program(values, value, reader);
  if (!prefixForm.test(values.prefix))
    wrongValue(reader, value.place, 'prefix has at most 32 letters, digits, _, . or -.');
  return (
    server && {
      kind: 'mcp',
      name,
      server,
      ownConnections: values.connection,
      era: values.era,
      prefix: values.prefix,
      include: values.include,
      exclude: values.exclude,
      refreshMs: values.refresh,
      pin: values.pin,
      redispatch: values.redispatch,
      connectTimeoutMs: values['connect-timeout'],
      timeoutMs: values.timeout,
      maxInFlight: values['max-in-flight'],
      maxMessageBytes: values['max-message-bytes'],
    }
  );
}

function networkServer(values: Values, value: SourceNode, reader: FieldReader): McpServerAddress | null {
  const url = URL.canParse(values.mcp) ? new URL(values.mcp) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const why = 'mcp must be an http(s) address without credentials; those belong in "bearer" or "headers".';
    wrongValue(reader, value.place, why);
    return null;
  }
  if (values.args.length > 0 || values.env !== null || values.cwd !== null)
    wrongValue(reader, value.place, 'args, env and cwd belong to a program, and mcp names an address.');
  const headers = readHeaders(values.headers, reader);
  if (values.bearer !== null) {
    const written = value.kind === 'map' ? entry(value, 'bearer') : undefined;
    if (written) warnOfWrittenSecret(written, 'bearer', reader);
    if (!tokenForm.test(values.bearer))
      wrongValue(reader, value.place, 'bearer must be a token in one word.');
    if (values.connection)
      wrongValue(
        reader,
        value.place,
        'Only one of "bearer" and "connection" may stand here: one token for all, or one for each workspace.',
      );
    headers['authorization'] = `Bearer ${values.bearer}`;
  }
  return { transport: values.transport, url: url.href, headers };
}

function program(values: Values, value: SourceNode, reader: FieldReader): McpServerAddress {
  if (values.connection || values.bearer !== null || values.headers !== null)
    wrongValue(
      reader,
      value.place,
      'connection, bearer and headers need an http(s) address; a program gets its credentials by "env".',
    );
  const folder = dirname(value.place.file);
  const { mcp, args, cwd } = values;
  return {
    transport: 'stdio',
    // A bare name is looked up in PATH, as a shell does.
    command: mcp.includes('/') ? resolve(folder, mcp) : mcp,
    args,
    env: readEnv(values.env, reader),
    cwd: cwd === null ? null : resolve(folder, cwd),
  };
}
