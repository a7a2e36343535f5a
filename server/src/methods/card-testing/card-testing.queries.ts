import type { AlertedPayment } from '../../alerts/alerts.schema.ts';
import { isRealGateway } from '../../gateways/gateways.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

/** What a person requested from a gateway, and from where: a charge, or to save a card or an account, which has no invoice. */
export type CountedRequest = {
  /** For a charge, the payment's id. */
  id: string;
  invoiceId: string | null;
  /** The card that is charged; null when no card is charged. */
  cardId: string | null;
  /** The fingerprint of the card that is being saved; null for everything else. */
  fingerprint: Uint8Array | null;
  gateway: string;
  network: string;
};

export type Count = {
  scope: 'invoice' | 'company' | 'address' | 'card';
  limit: number;
  /** Declined in the last hour, or still without an outcome. */
  taken: number;
  /** The time until enough declined requests are older than an hour to be below the limit; null while it is not reached. */
  secondsLeft: number | null;
  /** The company and payment of the newest declined request, of any company. */
  newest: { companyId: string; payment: AlertedPayment | null } | null;
};

/** Whether it is about a card that belongs to one person. Test numbers are shared by everybody. */
function isOwnCard({ cardId, fingerprint, gateway }: CountedRequest): boolean {
  return (cardId !== null || fingerprint !== null) && isRealGateway(gateway);
}

/** The card's fingerprint as SQL; null for no card, or one that is shared. One text for all cases, so that it is prepared once. */
function fingerprintOf(tx: Tx, companyId: string, counted: CountedRequest) {
  const { cardId, fingerprint } = isOwnCard(counted) ? counted : { cardId: null, fingerprint: null };
  return tx`coalesce(${fingerprint}::bytea, (SELECT fingerprint FROM cards WHERE company_id = ${companyId} AND id = ${cardId}))`;
}

/** Writes a person's request. @returns how many there were before in the last hour, as `taken` in `Count` */
export async function insertCountedRequest(
  tx: Tx,
  companyId: string,
  counted: CountedRequest,
): Promise<Record<Count['scope'], number>> {
  const { id, invoiceId, network } = counted;
  const [row] = await tx<[Record<Count['scope'], number>]>`
    WITH asked AS (
      INSERT INTO asked_charges (company_id, id, payment_id, invoice_id, network, card_fingerprint)
      VALUES (${companyId}, ${id}, CASE WHEN ${invoiceId}::uuid IS NOT NULL THEN ${id}::uuid END, ${invoiceId}, ${network},
              ${fingerprintOf(tx, companyId, counted)})
      RETURNING card_fingerprint
    )
    SELECT (SELECT count(*)::int FROM asked_charges
            WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}
              AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS invoice,
           (SELECT count(*)::int FROM asked_charges
            WHERE company_id = ${companyId} AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS company,
           (SELECT count(*)::int FROM asked_charges
            WHERE network = ${network} AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS address,
           (SELECT count(*)::int FROM asked_charges
            WHERE card_fingerprint = asked.card_fingerprint
              AND asked_at > now() - interval '1 hour' AND state <> 'unknown') AS card
    FROM asked`;
  return row;
}

/** Counts the other requests of the last hour by invoice, company, client address and card. */
export async function countRecentRequests(
  tx: Tx,
  companyId: string,
  counted: CountedRequest,
  limits: RefusalLimits,
): Promise<Count[]> {
  const ofCompany = tx`company_id = ${companyId}`;
  const scopes = [
    { scope: 'invoice', limit: limits.ofInvoice, rows: tx`${ofCompany} AND invoice_id = ${counted.invoiceId}` },
    { scope: 'company', limit: limits.ofCompany, rows: ofCompany },
    { scope: 'address', limit: limits.ofAddress, rows: tx`network = ${counted.network}` },
    ...(isOwnCard(counted)
      ? [{ scope: 'card', limit: limits.ofCard, rows: tx`card_fingerprint = ${fingerprintOf(tx, companyId, counted)}` }]
      : []),
  ];
  const selects = scopes.map(({ scope, limit, rows }, index) => {
    const lately = tx`FROM asked_charges WHERE ${rows} AND asked_at > now() - interval '1 hour' AND id <> ${counted.id}`;
    return tx`${index === 0 ? tx`` : tx`UNION ALL`}
      SELECT ${scope}::text AS scope, ${limit}::int AS "limit",
             (SELECT count(*)::int ${lately} AND state <> 'unknown') AS taken,
             (SELECT ceil(extract(epoch FROM asked_at + interval '1 hour' - now()))::int ${lately} AND state = 'refused'
              ORDER BY asked_at DESC OFFSET ${limit - 1} LIMIT 1) AS "secondsLeft",
             (SELECT json_build_object('companyId', company_id, 'payment', CASE
                WHEN payment_id IS NOT NULL THEN json_build_object('id', payment_id, 'invoiceId', invoice_id)
              END) ${lately} AND state = 'refused'
              ORDER BY asked_at DESC LIMIT 1) AS newest`;
  });
  return tx<Count[]>`${selects}`;
}

/** Lets requests from one address, or for one card, proceed one at a time until each has committed. */
export async function lockRequesters(
  tx: Tx,
  companyId: string,
  counted: CountedRequest,
  scopes: readonly Count['scope'][],
): Promise<void> {
  // Always in this order, so that no deadlock arises.
  if (scopes.includes('address')) {
    await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`asked charges of ${counted.network}`}, 0))`;
  }
  if (scopes.includes('card')) {
    const fingerprint = fingerprintOf(tx, companyId, counted);
    await tx`SELECT pg_advisory_xact_lock(hashtextextended('asked charges of ' || encode(${fingerprint}, 'hex'), 0))`;
  }
}

/** Records that the gateway declined the card or account to be saved. */
export async function markRefused(db: Db, companyId: string, id: string): Promise<void> {
  await db`UPDATE asked_charges SET state = 'refused' WHERE company_id = ${companyId} AND id = ${id}`;
}

/** Deletes a request that does not count, because the card or account was saved or its outcome is unknown. */
export async function deleteCountedRequest(db: Db, companyId: string, id: string): Promise<void> {
  await db`DELETE FROM asked_charges WHERE company_id = ${companyId} AND id = ${id}`;
}
