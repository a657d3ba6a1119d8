import { judgeReservations, lockMoney, placeHolds } from '../funding/index.js';

/** Columns of a new call in the order of the parameters `$1` to `$18`, with the type of each array. */
const columns = [
  ['id', 'text'],
  ['organization_id', 'text'],
  ['project_id', 'text'],
  ['tool_id', 'text'],
  ['provider', 'text'],
  ['idempotency_key', 'text'],
  ['request_hash', 'bytea'],
  ['request_hash_version', 'smallint'],
  ['input', 'text'],
  ['funding_requested', 'text'],
  ['funding_source', 'text'],
  ['max_cost_micros', 'bigint'],
  ['cost_status', 'text'],
  ['accounting_service', 'text'],
  ['created_by_type', 'text'],
  ['created_by_id', 'text'],
  ['redispatch', 'text'],
  ['reserved', 'bigint'],
] as const;
const owner = `$${columns.length + 1}`;
const leaseSeconds = `$${columns.length + 2}`;
const organizations = `$${columns.length + 3}`;
const credentials = `$${columns.length + 4}`;

const names = columns.map(([name]) => name);
const asked = `
  asked AS (
    SELECT * FROM unnest(${columns.map(([, type], place) => `$${place + 1}::${type}[]`).join(', ')})
      WITH ORDINALITY AS new (${names.join(', ')}, place))`;

const written = (from: string) => `
  written AS (
    INSERT INTO tool_call (${names.join(', ').replace(/reserved$/, 'reserved_micros')},
      status, attempts, dispatched_at, started_at, lease_owner, lease_until)
    SELECT ${names.map((name) => `new.${name}`).join(', ')},
      CASE WHEN new.redispatch = 'safe' THEN 'running' ELSE 'queued' END,
      CASE WHEN new.redispatch = 'safe' THEN 1 ELSE 0 END,
      CASE WHEN new.redispatch = 'safe' THEN clock_timestamp() END,
      CASE WHEN new.redispatch = 'safe' THEN clock_timestamp() END,
      ${owner}, now() + make_interval(secs => ${leaseSeconds})
    FROM ${from}
    ON CONFLICT ON CONSTRAINT tool_call_key_unique DO NOTHING
    RETURNING id, organization_id, created_by_id, reserved_micros, created_at, started_at)`;

/** New calls that reserve nothing. Like {@link beginPaid} it tells nothing of those whose keys are taken. */
export const beginFree = `
  WITH ${asked}, ${written('asked AS new')}
  SELECT id, created_at, started_at, NULL AS refused FROM written`;

/**
 * New calls of which some reserve money: the look-up of their keys, the judgement of their reservations, the calls and
 * their holds are one statement. A call whose key is known takes no part in the judgement, so that replays starve nobody.
 */
export const beginPaid = `
  WITH ${asked}, ${lockMoney(organizations, credentials)},
  fresh AS (
    SELECT * FROM asked WHERE (SELECT count(*) FROM cap) >= 0 AND NOT EXISTS (
      SELECT FROM tool_call AS known WHERE known.organization_id = asked.organization_id
        AND known.idempotency_key = asked.idempotency_key)),
  ${judgeReservations},
  ${written('judged AS new WHERE new.refused IS NULL')},
  ${placeHolds}
  SELECT id, created_at, started_at, NULL AS refused FROM written
  UNION ALL SELECT id, NULL, NULL, refused FROM judged WHERE refused IS NOT NULL`;
