import { closeHolds, costColumns, lockMoney } from '../funding/index.js';

const asNames = 'AS done (id, cost, micros, reference, status, result, result_truncated, error)';

/** `$1` to `$8`: what is to be written of each call. `$9`, `$10`: see {@link mine}. `$11`, `$12`: what to lock. */
const done = `
  done AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::boolean[],
      $8::text[]) ${asNames})`;

/** What is done to calls that are still so, locked in the order of their ids as every statement over several calls does. */
const mine = (condition: string, before: string) => `
  mine AS (
    SELECT done.*, call.created_by_id FROM done JOIN tool_call AS call ON call.id = done.id
    WHERE ${condition} ${before} ORDER BY call.id FOR UPDATE OF call)`;

const afterLocks = 'AND (SELECT count(*) FROM cap) >= 0';
const noHolds = `closed AS (SELECT NULL::text AS call_id, NULL::bigint AS charged_micros WHERE false)`;

const ended = (columns: string) => `
  UPDATE tool_call AS call SET ${columns}, updated_at = clock_timestamp()
  FROM mine LEFT JOIN closed ON closed.call_id = mine.id
  WHERE call.id = mine.id
  RETURNING call.id, call.completed_at, call.cost_status, call.actual_micros, call.charged_micros,
    call.cost_reference, call.settled_at`;

const isRunningHere = `call.status IN ('queued', 'running') AND call.lease_owner = $9`;
const execution = `status = mine.status, result = mine.result, result_truncated = mine.result_truncated,
    error = mine.error, completed_at = clock_timestamp(), lease_until = NULL, ${costColumns('$10')}`;

/** Ends calls none of which holds money. */
export const finishFree = `
  WITH ${done}, ${mine(isRunningHere, '')}, ${noHolds} ${ended(execution)}`;

/** Ends calls and closes their holds. */
export const finishPaid = `
  WITH ${done}, ${lockMoney('$11', '$12')}, ${mine(isRunningHere, afterLocks)}, ${closeHolds}
  ${ended(execution)}`;

/**
 * Settles costs that were pending when their calls ended. The execution stays as it is.
 */
export const settleLate = `
  WITH done AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS done (id, cost, micros, reference)),
  ${lockMoney('$6', '$7')},
  ${mine(`call.cost_status = 'pending' AND call.status NOT IN ('queued', 'running')`, afterLocks)},
  ${closeHolds}
  ${ended(costColumns('$5'))}`;
