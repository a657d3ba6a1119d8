import { HelixError } from '../../common/engine/errors/helix-error.js';

/** One parameter of an endpoint. */
export interface TregField {
  /** `string`, `integer`, `number`, `boolean`, `object`, `array`, `array[string]`, …; null where it is not told. */
  readonly type: string | null;
  readonly isRequired: boolean;
  readonly note: string | null;
  readonly allowed: readonly unknown[] | null;
  readonly example: unknown;
}

/** An endpoint of Treg's catalogue. */
export interface TregEndpoint {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  readonly input: {
    readonly path: Readonly<Record<string, TregField>>;
    readonly query: Readonly<Record<string, TregField>>;
    readonly body: Readonly<Record<string, TregField>>;
    readonly note: string | null;
  };
  readonly cost: { readonly type: string; readonly usd: number | null };
  readonly status: string;
  readonly statusNote: string | null;
  readonly docsUrl: string | null;
}

export interface TregMatches {
  readonly endpoints: readonly TregEndpoint[];
  /** All matches; null where Treg does not tell. */
  readonly total: number | null;
}

/** What was booked for a call. Amounts are handed on as they came, nonsense included. */
export interface TregLedger {
  readonly state: 'pending' | 'settled' | 'released';
  readonly micros: number | null;
}

/** Ids become part of addresses and of our own tool ids. */
const sane = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** A row that cannot be read is left out: the others are of use. */
export function readMatches(answer: unknown): TregMatches {
  const { results, total } = objectOf(answer);
  const endpoints = (Array.isArray(results) ? results : []).flatMap((row) => readRow(row) ?? []);
  return {
    endpoints,
    total: Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : null,
  };
}

/** @throws HelixError `HTTP.UNREADABLE_REPLY` */
export function readEndpoint(answer: unknown): TregEndpoint {
  const endpoint = readRow(objectOf(answer)['endpoint']);
  if (endpoint === null)
    throw new HelixError('HTTP.UNREADABLE_REPLY', 'Treg described a tool in an unknown way.');
  return endpoint;
}

/**
 * Settled or released only where an entry says so: `charged_micro` is 0 both for what was free and for what was not
 * settled yet.
 */
export function readLedger(answer: unknown): TregLedger {
  const { ledger, charged_micro: charged } = objectOf(answer);
  const kinds = (Array.isArray(ledger) ? ledger : []).map((entry) => objectOf(entry)['kind']);
  if (kinds.includes('settle'))
    return { state: 'settled', micros: typeof charged === 'number' ? charged : Number.NaN };
  return kinds.includes('release') ? { state: 'released', micros: 0 } : { state: 'pending', micros: null };
}

function readRow(value: unknown): TregEndpoint | null {
  const row = objectOf(value);
  const { id, method } = row;
  if (typeof id !== 'string' || !sane.test(id)) return null;
  const input = objectOf(row['input']);
  const cost = objectOf(row['cost']);
  const usd = cost['usd'];
  return {
    id,
    name: textOf(row['name']) ?? id,
    summary: textOf(row['summary']) ?? textOf(row['name']) ?? id,
    method: typeof method === 'string' && /^[A-Z]{3,7}$/.test(method) ? method : 'GET',
    input: {
      path: fieldsOf(input['pathParams']),
      query: fieldsOf(input['queryParams']),
      body: fieldsOf(input['body']),
      note: textOf(input['note']),
    },
    cost: { type: textOf(cost['type']) ?? 'unknown', usd: typeof usd === 'number' && usd >= 0 ? usd : null },
    status: textOf(row['status']) ?? '',
    statusNote: textOf(row['status_note']),
    docsUrl: textOf(row['docs_url']),
  };
}

function fieldsOf(value: unknown): Record<string, TregField> {
  const fields = Object.entries(objectOf(value)).map(([name, field]) => [name, fieldOf(field)] as const);
  return Object.fromEntries(fields);
}

function fieldOf(value: unknown): TregField {
  const { type, required, note, enum: allowed, example } = objectOf(value);
  return {
    type: textOf(type),
    isRequired: required === true,
    note: textOf(note),
    allowed: Array.isArray(allowed) && allowed.length > 0 ? allowed : null,
    example,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
