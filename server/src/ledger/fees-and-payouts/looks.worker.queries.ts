import type { Db } from '../../platform/database/database.ts';

/** A look at a gateway's balance, which reads what has happened since `from`. */
export type Look = { gateway: string; from: Date; lookedUpTo: Date; lookAt: Date };

/** The least time between two looks, and how long a transaction may have taken whose postings the last look did not see. */
const SPACING_SECONDS = 5;
const LATE_SECONDS = 3;
/** When to look again: soon where there was something new, since a gateway may tell the fee of a payment a little later. */
const SOON_SECONDS = 15;
const IDLE_SECONDS = 300;
/** When to look again after one that did not end. */
const RETRY_SECONDS = 60;

/** Postings of money that moved at the gateway. The literals of accounts are those of the index of all others. */
function posted(db: Db, gateway: string) {
  return db`
    account = ${`cash:${gateway}`} AND account NOT IN ('receivable', 'revenue')
    AND kind NOT IN ('gateway_fee', 'payout', 'payout_failed')`;
}

/**
 * Claims a look, when it is time for one or the gateway's cash was posted to since the last one; null otherwise, during a hold, and before
 * the first payment. It goes back to the oldest payment whose capture was posted since, because the gateway may have taken it long before.
 */
export async function claimLook(db: Db, gateway: string): Promise<Look | null> {
  const since = db`ledger_postings.created_at > looks.looked_at - make_interval(secs => ${LATE_SECONDS})`;
  const [row] = await db<Look[]>`
    WITH begun AS (
      INSERT INTO gateway_looks (gateway, looked_up_to)
      SELECT ${gateway}, min(created_at) FROM ledger_postings WHERE ${posted(db, gateway)} AND NOT EXISTS (
        SELECT FROM gateway_looks WHERE gateway = ${gateway}
      ) HAVING min(created_at) IS NOT NULL
      ON CONFLICT (gateway) DO NOTHING
    ), due AS (
      SELECT gateway, looked_up_to, look_at, looked_at,
             least(looked_up_to, (
               SELECT min(payments.created_at)
               FROM ledger_postings JOIN payments ON payments.company_id = ledger_postings.company_id AND payments.id = source_id
               WHERE ${posted(db, gateway)} AND kind = 'payment_captured' AND ${since}
             )) AS since
      FROM gateway_looks AS looks
      WHERE gateway = ${gateway} AND NOT EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL) AND (
        look_at <= now() OR (looked_at < now() - make_interval(secs => ${SPACING_SECONDS}) AND EXISTS (
          SELECT FROM ledger_postings WHERE ${posted(db, gateway)} AND ${since}))
      )
      FOR UPDATE SKIP LOCKED
    )
    UPDATE gateway_looks AS looks
    SET looked_at = now(), look_at = now() + make_interval(secs => ${RETRY_SECONDS}), looked_up_to = due.since
    FROM due WHERE looks.gateway = due.gateway
    RETURNING looks.gateway, due.since AS "from", looks.looked_up_to AS "lookedUpTo", looks.look_at AS "lookAt"`;
  return row ?? null;
}

/** Records what a look has read. What asked for another one meanwhile stands. */
export async function endLook(
  db: Db,
  { gateway, lookedUpTo: before, lookAt }: Look,
  { lookedUpTo, isBehind }: { lookedUpTo: Date; isBehind: boolean },
): Promise<void> {
  await db`
    UPDATE gateway_looks
    SET looked_up_to = CASE WHEN looked_up_to = ${before} THEN ${lookedUpTo} ELSE looked_up_to END,
        look_at = CASE
          WHEN look_at <> ${lookAt} THEN look_at
          -- Rounded up, as the column rounds, it would not be due yet.
          WHEN ${isBehind} THEN date_trunc('milliseconds', now())
          ELSE now() + make_interval(secs => CASE WHEN EXISTS (
            SELECT FROM ledger_postings WHERE ${posted(db, gateway)} AND created_at > now() - make_interval(secs => ${SOON_SECONDS})
          ) THEN ${SOON_SECONDS}::int ELSE ${IDLE_SECONDS}::int END)
        END
    WHERE gateway = ${gateway}`;
}
