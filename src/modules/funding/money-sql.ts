/**
 * The pieces of SQL by which money moves inside the statements of the call journal, so that a hold and its call are
 * written by one statement, and a settlement and the end of its call by another. Repositories cannot say this, and a
 * transaction of single statements holds a busy wallet's row many times as long.
 *
 * One lock order for all of them: wallets by id, then caps by id, then calls by id.
 */

/**
 * Locks. A locked row is read as its last committed version, so what is computed from `purse` and `cap` holds until the
 * commit. The empty count makes sure that one is locked before the other.
 */
export const lockMoney = (organizationIds: string, credentialIds: string): string => `
  purse AS MATERIALIZED (
    SELECT organization_id, balance_micros, balance_micros - held_micros AS headroom, entry_count FROM wallet
    WHERE organization_id = ANY (${organizationIds}::text[]) ORDER BY organization_id FOR UPDATE),
  cap AS MATERIALIZED (
    SELECT credential_id, limit_micros - used_micros AS headroom FROM spend_cap
    WHERE credential_id = ANY (${credentialIds}::text[]) AND (SELECT count(*) FROM purse) >= 0
    ORDER BY credential_id FOR UPDATE)`;

/**
 * Judges the reservations of `fresh (organization_id, created_by_id, reserved, place, …)`: gives its rows as `judged`,
 * with `refused`: null, 'cap' or 'wallet'. The small ones first: a running sum in the order of size refuses one only where
 * it does not fit behind all that are smaller, so that no large reservation starves a small one. A reservation of 0 asks
 * for headroom all the same. One pass without a join of the batch with itself, which would be quadratic.
 */
export const judgeReservations = `
  capped AS (
    SELECT fresh.*, cap.headroom IS NULL OR cap.headroom >=
      greatest(sum(fresh.reserved) OVER (PARTITION BY fresh.created_by_id ORDER BY fresh.reserved, fresh.place), 1)
      AS is_within
    FROM fresh LEFT JOIN cap ON cap.credential_id = fresh.created_by_id),
  judged AS MATERIALIZED (
    SELECT capped.*, CASE WHEN capped.reserved IS NULL THEN NULL WHEN NOT capped.is_within THEN 'cap'
      WHEN purse.headroom >= greatest(sum(CASE WHEN capped.is_within THEN capped.reserved END)
        OVER (PARTITION BY capped.organization_id ORDER BY capped.reserved, capped.place), 1) THEN NULL
      ELSE 'wallet' END AS refused
    FROM capped LEFT JOIN purse ON purse.organization_id = capped.organization_id)`;

/** Holds for `written (id, organization_id, created_by_id, reserved_micros)`. */
export const placeHolds = `
  placed AS (
    INSERT INTO hold (call_id, organization_id, amount_micros)
    SELECT id, organization_id, reserved_micros FROM written WHERE reserved_micros IS NOT NULL),
  reserved AS (
    UPDATE wallet SET held_micros = held_micros + total.micros, updated_at = clock_timestamp()
    FROM (SELECT organization_id, sum(reserved_micros)::bigint AS micros FROM written
      WHERE reserved_micros > 0 GROUP BY organization_id) AS total
    WHERE wallet.organization_id = total.organization_id),
  used AS (
    UPDATE spend_cap SET used_micros = used_micros + total.micros
    FROM (SELECT created_by_id, sum(reserved_micros)::bigint AS micros FROM written
      WHERE reserved_micros > 0 GROUP BY created_by_id) AS total
    WHERE spend_cap.credential_id = total.created_by_id)`;

/**
 * Closes the open holds of `mine (id, created_by_id, cost, micros, …)` as its cost says, and moves the money. The change of
 * the hold from `open` is the one gate: whoever comes second finds it closed and moves nothing. What exceeds the
 * reservation is an entry of its own. Gives `closed (call_id, charged_micros)`.
 */
export const closeHolds = `
  closed AS (
    UPDATE hold SET closed_at = clock_timestamp(),
      state = CASE WHEN mine.cost = 'captured' THEN 'captured' WHEN mine.cost = 'settled' AND mine.micros > 0
        THEN 'settled' ELSE 'released' END,
      charged_micros = CASE mine.cost WHEN 'captured' THEN hold.amount_micros WHEN 'settled' THEN mine.micros ELSE 0 END
    FROM mine
    WHERE hold.call_id = mine.id AND hold.state = 'open' AND mine.cost IN ('settled', 'not_metered', 'captured')
    RETURNING hold.call_id, hold.organization_id, hold.state, hold.amount_micros, hold.charged_micros,
      mine.created_by_id),
  moved AS (
    SELECT organization_id, call_id, kind, amount,
      row_number() OVER entries AS nth, sum(amount) OVER entries AS running
    FROM (
      SELECT organization_id, call_id, CASE state WHEN 'captured' THEN 'capture' ELSE 'settle' END AS kind,
        -least(charged_micros, amount_micros) AS amount FROM closed
      UNION ALL
      SELECT organization_id, call_id, 'overrun', amount_micros - charged_micros FROM closed
      WHERE charged_micros > amount_micros) AS line
    WHERE amount <> 0
    WINDOW entries AS (PARTITION BY organization_id ORDER BY call_id, kind DESC ROWS UNBOUNDED PRECEDING)),
  entered AS (
    INSERT INTO ledger_entry (organization_id, number, kind, amount_micros, balance_micros, call_id)
    SELECT organization_id, purse.entry_count + moved.nth, moved.kind, moved.amount,
      purse.balance_micros + moved.running, moved.call_id
    FROM moved JOIN purse USING (organization_id)),
  paid AS (
    UPDATE wallet SET balance_micros = balance_micros - total.charged, held_micros = held_micros - total.held,
      entry_count = entry_count + total.entries, updated_at = clock_timestamp()
    FROM (
      SELECT organization_id, sum(charged_micros)::bigint AS charged, sum(amount_micros)::bigint AS held,
        (SELECT count(*) FROM moved WHERE moved.organization_id = closed.organization_id) AS entries
      FROM closed GROUP BY organization_id) AS total
    WHERE wallet.organization_id = total.organization_id),
  spent AS (
    UPDATE spend_cap SET used_micros = used_micros + total.micros
    FROM (SELECT created_by_id, sum(charged_micros - amount_micros)::bigint AS micros FROM closed GROUP BY created_by_id)
      AS total
    WHERE spend_cap.credential_id = total.created_by_id AND total.micros <> 0)`;

/**
 * The cost columns of a `call` of `mine` after `closed`, for the SET of its update. A call without a hold was not paid by the
 * wallet: its cost is told, and nothing charged. `pollSeconds` from now the accounting service is asked what became
 * of a pending cost.
 */
export const costColumns = (pollSeconds: string): string => {
  const isOpen = `call.cost_status IN ('reserved', 'pending')`;
  const isDecided = `${isOpen} AND mine.cost IN ('settled', 'not_metered', 'captured')
    AND (call.reserved_micros IS NULL OR closed.call_id IS NOT NULL)`;
  return `
    cost_status = CASE WHEN ${isDecided} THEN CASE mine.cost WHEN 'captured' THEN 'unknown' ELSE mine.cost END
      WHEN ${isOpen} AND mine.cost = 'pending' THEN 'pending' ELSE call.cost_status END,
    actual_micros = CASE WHEN ${isDecided} AND mine.cost = 'settled' THEN mine.micros ELSE call.actual_micros END,
    charged_micros = CASE WHEN ${isDecided} THEN closed.charged_micros ELSE call.charged_micros END,
    settled_at = CASE WHEN ${isDecided} AND mine.cost = 'settled' THEN clock_timestamp() ELSE call.settled_at END,
    cost_due = CASE WHEN ${isOpen} AND mine.cost = 'pending' THEN now() + make_interval(secs => ${pollSeconds}) END,
    cost_reference = coalesce(mine.reference, call.cost_reference)`;
};
