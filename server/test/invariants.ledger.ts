/** The oracle of the ledger and the refunds: the postings against what they are about, and against the gateway's own ledger. */
import type { Db } from '../src/database/database.ts';
import type { LedgerRows } from '../src/gateways/sandbox/sandbox.queries.ts';

/** What is broken in the ledger (I5) and about refunds (I14), at rest. */
export async function findLedgerViolations(owner: Db, gatewayLedger: LedgerRows): Promise<string[]> {
  const [unbalanced, wrong, refunds, unposted] = await Promise.all([
    selectUnbalanced(owner),
    selectWrongBalances(owner),
    selectRefunds(owner),
    selectUnpostedMoney(owner),
  ]);
  return [
    ...unbalanced.map(({ kind, sourceId, sum }) => `I5 the entry ${kind} of ${sourceId} comes to ${sum}`),
    ...wrong.map(
      ({ companyId, account, currency, expected, actual }) =>
        `I5 ${account} of company ${companyId} has ${actual} ${currency}, the tables make ${expected}`,
    ),
    ...judgeRefunds(refunds, unposted.kept, gatewayLedger),
    ...judgeCash(await selectCash(owner), unposted, gatewayLedger),
  ];
}

async function selectUnbalanced(owner: Db): Promise<{ kind: string; sourceId: string; sum: string }[]> {
  return owner<{ kind: string; sourceId: string; sum: string }[]>`
    SELECT kind, source_id AS "sourceId", sum(amount_minor)::text AS sum
    FROM ledger_postings GROUP BY company_id, source_id, kind, currency HAVING sum(amount_minor) <> 0`;
}

type Balance = { companyId: string; account: string; currency: string; expected: string; actual: string };

/** Where an account differs from what invoices, payments, credit entries, credit notes and refunds come to. */
async function selectWrongBalances(owner: Db): Promise<Balance[]> {
  return owner<Balance[]>`
    WITH issued AS (
      SELECT company_id, currency, minor_units(total, minor_unit_digits) AS total, minor_units(tax, minor_unit_digits) AS tax
      FROM invoices WHERE voided_at IS NULL
    ), notes AS (
      SELECT notes.company_id, currency, after_payment, minor_units(notes.total, minor_unit_digits) AS total,
             minor_units(notes.tax, minor_unit_digits) AS tax
      FROM credit_notes AS notes JOIN invoices ON invoices.company_id = notes.company_id AND invoices.id = invoice_id
    ), given AS (
      SELECT company_id, gateway, currency, amount_minor, credit_minor FROM refunds WHERE state = 'succeeded'
    ), expected (company_id, account, currency, amount) AS (
      SELECT company_id, 'receivable', currency, total FROM issued
      UNION ALL SELECT company_id, 'tax', currency, -tax FROM issued
      UNION ALL SELECT company_id, 'revenue', currency, tax - total FROM issued
      UNION ALL SELECT company_id, CASE WHEN after_payment THEN 'refunds_due' ELSE 'receivable' END, currency, -total FROM notes
      UNION ALL SELECT company_id, 'tax', currency, tax FROM notes
      UNION ALL SELECT company_id, 'revenue', currency, total - tax FROM notes
      UNION ALL SELECT company_id, 'cash:' || gateway, currency, amount_minor FROM payments WHERE state = 'captured'
      UNION ALL SELECT company_id, 'receivable', currency, -amount_minor FROM payments WHERE state = 'captured'
      UNION ALL SELECT company_id, 'credit', currency, -amount_minor FROM credit_entries
      UNION ALL SELECT company_id, 'receivable', currency, amount_minor FROM credit_entries WHERE kind IN ('consumption', 'return')
      UNION ALL SELECT company_id, 'goodwill', currency, amount_minor FROM credit_entries
                WHERE kind IN ('grant', 'correction') AND carried_tax_minor IS NULL
      UNION ALL SELECT company_id, 'revenue', currency, amount_minor - carried_tax_minor FROM credit_entries
                WHERE carried_tax_minor IS NOT NULL
      UNION ALL SELECT company_id, 'tax', currency, carried_tax_minor FROM credit_entries WHERE carried_tax_minor IS NOT NULL
      UNION ALL SELECT company_id, 'refunds_due', currency, amount_minor + credit_minor FROM given
      UNION ALL SELECT company_id, 'cash:' || gateway, currency, -amount_minor FROM given
    )
    SELECT company_id AS "companyId", account, currency, sum(expected)::text AS expected, sum(actual)::text AS actual
    FROM (
      SELECT company_id, account, currency, amount AS expected, 0 AS actual FROM expected
      UNION ALL SELECT company_id, account, currency, 0, amount_minor FROM ledger_postings
    ) AS both_sides
    GROUP BY company_id, account, currency
    HAVING sum(expected) <> sum(actual)`;
}

type RefundRecord = {
  id: string;
  state: string;
  gatewayRefundId: string | null;
  gatewayPaymentId: string | null;
  amountMinor: bigint;
  currency: string;
  isNoticed: boolean;
};

async function selectRefunds(owner: Db): Promise<RefundRecord[]> {
  const rows = await owner<(Omit<RefundRecord, 'amountMinor'> & { amountMinor: string })[]>`
    SELECT refunds.id, refunds.state, gateway_refund_id AS "gatewayRefundId", gateway_payment_id AS "gatewayPaymentId",
           refunds.amount_minor::text AS "amountMinor", refunds.currency,
           EXISTS (SELECT FROM alerts WHERE alerts.company_id = refunds.company_id AND alerts.payment_id = refunds.payment_id
                   AND kind IN ('refund_mismatch', 'refund_unresolved')) AS "isNoticed"
    FROM refunds JOIN payments ON payments.company_id = refunds.company_id AND payments.id = payment_id`;
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}

/** I14: what was given back at the gateway is what a refund of ours says, once; and never more than was taken. */
function judgeRefunds(refunds: RefundRecord[], kept: Set<string>, { captures, refunds: given }: LedgerRows): string[] {
  const found: string[] = [];
  const ofReference = Map.groupBy(given, ({ reference }) => reference);
  for (const refund of refunds) {
    const { id, state, amountMinor, currency } = refund;
    const movements = ofReference.get(id) ?? [];
    if (movements.length > 1) found.push(`I14 refund ${id} was given back ${movements.length} times`);
    if (state === 'failed' && movements.length > 0) found.push(`I14 refund ${id} is failed and was given back`);
    if (state === 'created' || state === 'unknown') found.push(`I14 refund ${id} has no outcome`);
    if (state === 'needs_review' && !refund.isNoticed) found.push(`I14 refund ${id} needs review and nobody is told`);
    if (state !== 'succeeded' || amountMinor === 0n) continue;
    const movement = movements[0];
    const isSame =
      movement?.id === refund.gatewayRefundId &&
      movement.paymentId === refund.gatewayPaymentId &&
      movement.amountMinor === amountMinor &&
      movement.currency === currency;
    if (!isSame) found.push(`I14 refund ${id} has succeeded here, and not so at the gateway`);
  }
  const own = new Set(refunds.map(({ id }) => id));
  for (const { id, paymentId, reference } of given) {
    if (!own.has(reference) && kept.has(paymentId))
      found.push(`I14 the gateway gave back ${id}, which nobody here knows of`);
  }
  const givenOf = Map.groupBy(given, ({ paymentId }) => paymentId);
  for (const { paymentId, amountMinor } of captures) {
    const sum = (givenOf.get(paymentId) ?? []).reduce((total, refund) => total + refund.amountMinor, 0n);
    if (sum > amountMinor) found.push(`I14 of the ${amountMinor} captured by ${paymentId}, ${sum} were given back`);
  }
  return found;
}

/**
 * Objects of the gateway that are not captured here, those that are and of which nobody was told that the gateway gave them back by
 * itself, and our refunds that have succeeded.
 */
type Unposted = { payments: Set<string>; kept: Set<string>; references: Set<string> };

async function selectUnpostedMoney(owner: Db): Promise<Unposted> {
  const payments = await owner<{ id: string }[]>`
    SELECT coalesce(gateway_payment_id, '') AS id FROM payments WHERE state <> 'captured'`;
  const kept = await owner<{ id: string }[]>`
    SELECT gateway_payment_id AS id FROM payments
    WHERE state = 'captured' AND gateway_payment_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM alerts WHERE alerts.payment_id = payments.id AND kind = 'refunded_at_gateway'
    )`;
  const references = await owner<{ id: string }[]>`SELECT id FROM refunds WHERE state = 'succeeded'`;
  return {
    payments: new Set(payments.map(({ id }) => id)),
    kept: new Set(kept.map(({ id }) => id)),
    references: new Set(references.map(({ id }) => id)),
  };
}

async function selectCash(owner: Db): Promise<Map<string, bigint>> {
  const rows = await owner<{ currency: string; sum: string }[]>`
    SELECT currency, sum(amount_minor)::text AS sum FROM ledger_postings WHERE account LIKE 'cash:%' GROUP BY currency`;
  return new Map(rows.map(({ currency, sum }) => [currency, BigInt(sum)]));
}

/** I5: cash at the gateway is what the gateway took and did not give back, but for what is under review. */
function judgeCash(cash: Map<string, bigint>, { payments, references }: Unposted, ledger: LedgerRows): string[] {
  const expected = new Map<string, bigint>();
  const add = (currency: string, minor: bigint) => expected.set(currency, (expected.get(currency) ?? 0n) + minor);
  for (const { paymentId, amountMinor, currency } of ledger.captures) {
    if (!payments.has(paymentId)) add(currency, amountMinor);
  }
  for (const { reference, amountMinor, currency } of ledger.refunds) {
    if (references.has(reference)) add(currency, -amountMinor);
  }
  const currencies = new Set([...cash.keys(), ...expected.keys()]);
  return [...currencies].flatMap((currency) => {
    const [ours, theirs] = [cash.get(currency) ?? 0n, expected.get(currency) ?? 0n];
    return ours === theirs ? [] : [`I5 cash at the gateway is ${ours} ${currency} here and ${theirs} there`];
  });
}
