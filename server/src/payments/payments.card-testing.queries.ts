import type { RefusalLimits } from '../config.ts';
import type { Db, Tx } from '../database/database.ts';

/** A charge that a person asked for, and where from. */
export type AskedCharge = {
  paymentId: string;
  invoiceId: string;
  cardId: string | null;
  gateway: string;
  network: string;
};

export type Count = {
  scope: 'invoice' | 'company' | 'address' | 'card';
  limit: number;
  /** Refused in the last hour, or still without an outcome. */
  taken: number;
  /** Until so many refused ones are not left in the hour any more; null while they are fewer. */
  secondsLeft: number | null;
  /** Whose the newest refused one is, whichever company's. */
  newest: { companyId: string; paymentId: string } | null;
};

/** Whether it is to a card that is somebody's own. The sandbox's numbers are everybody's. */
function isOwnCard({ cardId, gateway }: AskedCharge): boolean {
  return cardId !== null && gateway !== 'sandbox';
}

/** SQL for the fingerprint of the card; null for what is none, or not somebody's own. */
function fingerprintOf(tx: Tx, companyId: string, charge: AskedCharge) {
  return isOwnCard(charge)
    ? tx`(SELECT fingerprint FROM cards WHERE company_id = ${companyId} AND id = ${charge.cardId})`
    : tx`NULL::bytea`;
}

/** Writes down that the payment was asked for by a person. @returns how many there were before in the last hour, as `taken` in `Count` */
export async function insertAskedCharge(
  tx: Tx,
  companyId: string,
  charge: AskedCharge,
): Promise<Record<Count['scope'], number>> {
  const [row] = await tx<[Record<Count['scope'], number>]>`
    WITH asked AS (
      INSERT INTO asked_charges (company_id, payment_id, invoice_id, network, card_fingerprint)
      VALUES (${companyId}, ${charge.paymentId}, ${charge.invoiceId}, ${charge.network}, CASE WHEN ${isOwnCard(charge)} THEN
        (SELECT fingerprint FROM cards WHERE company_id = ${companyId} AND id = ${charge.cardId}) END)
      RETURNING card_fingerprint
    )
    SELECT (SELECT count(*)::int FROM asked_charges
            WHERE company_id = ${companyId} AND invoice_id = ${charge.invoiceId}
              AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS invoice,
           (SELECT count(*)::int FROM asked_charges
            WHERE company_id = ${companyId} AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS company,
           (SELECT count(*)::int FROM asked_charges
            WHERE network = ${charge.network} AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS address,
           (SELECT count(*)::int FROM asked_charges
            WHERE card_fingerprint = asked.card_fingerprint
              AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS card
    FROM asked`;
  return row;
}

/** What was asked for in the last hour beside this charge: of its invoice, its company, its client's address and its card. */
export async function countAskedCharges(
  tx: Tx,
  companyId: string,
  charge: AskedCharge,
  limits: RefusalLimits,
): Promise<Count[]> {
  const ofCompany = tx`company_id = ${companyId}`;
  const scopes = [
    { scope: 'invoice', limit: limits.ofInvoice, rows: tx`${ofCompany} AND invoice_id = ${charge.invoiceId}` },
    { scope: 'company', limit: limits.ofCompany, rows: ofCompany },
    { scope: 'address', limit: limits.ofAddress, rows: tx`network = ${charge.network}` },
    ...(isOwnCard(charge)
      ? [{ scope: 'card', limit: limits.ofCard, rows: tx`card_fingerprint = ${fingerprintOf(tx, companyId, charge)}` }]
      : []),
  ];
  const selects = scopes.map(({ scope, limit, rows }, index) => {
    const lately = tx`FROM asked_charges WHERE ${rows} AND asked_at > now() - interval '1 hour' AND payment_id <> ${charge.paymentId}`;
    return tx`${index === 0 ? tx`` : tx`UNION ALL`}
      SELECT ${scope}::text AS scope, ${limit}::int AS "limit",
             (SELECT count(*)::int ${lately} AND state <> 'unknown') AS taken,
             (SELECT ceil(extract(epoch FROM asked_at + interval '1 hour' - now()))::int ${lately} AND state = 'refused'
              ORDER BY asked_at DESC OFFSET ${limit - 1} LIMIT 1) AS "secondsLeft",
             (SELECT json_build_object('companyId', company_id, 'paymentId', payment_id) ${lately} AND state = 'refused'
              ORDER BY asked_at DESC LIMIT 1) AS newest`;
  });
  return tx<Count[]>`${selects}`;
}

/** Of the charges from the address, or to the card, that begin in the same moment, one goes on at a time until it has committed. */
export async function lockAskers(
  tx: Tx,
  companyId: string,
  charge: AskedCharge,
  scopes: readonly Count['scope'][],
): Promise<void> {
  // Always in this order, so that no two wait for each other.
  if (scopes.includes('address')) {
    await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`asked charges of ${charge.network}`}, 0))`;
  }
  if (scopes.includes('card')) {
    const fingerprint = fingerprintOf(tx, companyId, charge);
    await tx`SELECT pg_advisory_xact_lock(hashtextextended('asked charges of ' || encode(${fingerprint}, 'hex'), 0))`;
  }
}

/** Removes what no longer counts, up to `limit`. @returns how many there were */
export async function removeOldAskedCharges(db: Db, limit: number): Promise<number> {
  const { count } = await db`
    DELETE FROM asked_charges WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM asked_charges WHERE asked_at < now() - interval '2 hours' LIMIT ${limit}))`;
  return count;
}
