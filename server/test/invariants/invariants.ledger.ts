/** Checks the ledger and the refunds: compares the postings with the rows that they are about and with the gateway's books. */
import type { Db } from '../../src/platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../src/platform/operator-scope.ts';
import type { GatewayLedger } from './invariants.books.ts';

/**
 * Returns the broken invariants of the ledger (I5), refunds (I14) and disputes (I15). No charge or refund may be
 * running.
 */
export async function findLedgerViolations(owner: Db, gatewayLedger: GatewayLedger): Promise<string[]> {
  const [unbalanced, wrong, overdrawn, refunds, unposted, movements] = await Promise.all([
    selectUnbalanced(owner),
    selectWrongBalances(owner),
    selectOverdrawnPayments(owner),
    selectRefunds(owner),
    selectUnpostedMoney(owner),
    selectMovements(owner),
  ]);
  return [
    ...unbalanced.map(({ kind, sourceId, sum }) => `I5 the entry ${kind} of ${sourceId} comes to ${sum}`),
    ...wrong.map(
      ({ companyId, account, currency, expected, actual }) =>
        `I5 ${account} of company ${companyId} has ${actual} ${currency}, the tables make ${expected}`,
    ),
    ...overdrawn.map(({ id, taken, given }) => `I14 payment ${id} took ${taken}, and ${given} of it are refunded`),
    ...checkRefunds(refunds, unposted.kept, gatewayLedger),
    ...checkMovements(movements, unposted.payments, gatewayLedger),
    ...checkCash(await selectCash(owner), { ...unposted, movements }, gatewayLedger),
  ];
}

async function selectUnbalanced(owner: Db): Promise<{ kind: string; sourceId: string; sum: string }[]> {
  return owner<{ kind: string; sourceId: string; sum: string }[]>`
    SELECT kind, source_id AS "sourceId", sum(amount_minor)::text AS sum
    FROM ledger_postings GROUP BY company_id, source_id, kind, currency HAVING sum(amount_minor) <> 0`;
}

type Balance = { companyId: string; account: string; currency: string; expected: string; actual: string };

/** Returns the accounts whose balance differs from the sum of invoices, payments, credit entries, credit notes, refunds and disputes. */
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
      -- A capture that a review returned is booked with its refund.
      SELECT company_id, gateway, currency, amount_minor, credit_minor FROM refunds WHERE state = 'succeeded' AND NOT returns_capture
    ), unallocated AS (
      -- What no company has got, less all refunds.
      SELECT gateway, currency, captured_minor - CASE WHEN refunded_at IS NULL THEN 0 ELSE amount_minor END - coalesce((
               SELECT sum(earlier.amount_minor) FROM unallocated_refunds AS earlier WHERE capture_id = unallocated_captures.id
             ), 0) AS left_minor
      FROM unallocated_captures WHERE allocated_at IS NULL
    ), expected (company_id, account, currency, amount) AS (
      SELECT company_id, 'receivable', currency, total FROM issued
      UNION ALL SELECT company_id, 'tax', currency, -tax FROM issued
      UNION ALL SELECT company_id, 'revenue', currency, tax - total FROM issued
      UNION ALL SELECT company_id, CASE WHEN after_payment THEN 'refunds_due' ELSE 'receivable' END, currency, -total FROM notes
      UNION ALL SELECT company_id, 'tax', currency, tax FROM notes
      UNION ALL SELECT company_id, 'revenue', currency, total - tax FROM notes
      UNION ALL SELECT company_id, 'cash:' || gateway, currency, amount_minor + overpaid_minor FROM payments WHERE state = 'captured'
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
      UNION ALL SELECT company_id, 'cash:' || gateway, currency, -withdrawn_minor FROM disputes
      UNION ALL SELECT company_id, 'gateway_fees', currency, amount_minor FROM gateway_fees
      UNION ALL SELECT company_id, 'cash:' || gateway, currency, -amount_minor FROM gateway_fees
      UNION ALL SELECT ${OPERATOR_SCOPE}, 'bank', currency, amount_minor FROM gateway_payouts WHERE state = 'paid'
      UNION ALL SELECT ${OPERATOR_SCOPE}, 'cash:' || gateway, currency, -amount_minor FROM gateway_payouts WHERE state = 'paid'
      UNION ALL SELECT ${OPERATOR_SCOPE}, 'cash:' || gateway, currency, left_minor FROM unallocated
      UNION ALL SELECT ${OPERATOR_SCOPE}, 'unallocated', currency, -left_minor FROM unallocated
      UNION ALL SELECT company_id, CASE state WHEN 'lost' THEN 'dispute_losses' ELSE 'disputed' END, currency, withdrawn_minor
                FROM disputes
    )
    SELECT company_id AS "companyId", account, currency, sum(expected)::text AS expected, sum(actual)::text AS actual
    FROM (
      SELECT company_id, account, currency, amount AS expected, 0 AS actual FROM expected
      UNION ALL SELECT company_id, account, currency, 0, amount_minor FROM ledger_postings
    ) AS both_sides
    GROUP BY company_id, account, currency
    HAVING sum(expected) <> sum(actual)`;
}

/** Returns the payments, credit included, of which our books refund more than they captured. */
async function selectOverdrawnPayments(owner: Db): Promise<{ id: string; taken: string; given: string }[]> {
  return owner<{ id: string; taken: string; given: string }[]>`
    SELECT payments.id, payments.amount_minor || ' + ' || payments.credit_minor AS taken,
           sum(refunds.amount_minor) || ' + ' || sum(refunds.credit_minor) AS given
    FROM payments JOIN refunds ON refunds.company_id = payments.company_id AND payment_id = payments.id
    WHERE refunds.state <> 'failed' AND NOT returns_capture
    GROUP BY payments.company_id, payments.id
    HAVING sum(refunds.amount_minor) > payments.amount_minor OR sum(refunds.credit_minor) > payments.credit_minor`;
}

type RefundRecord = {
  id: string;
  source: string;
  state: string;
  gatewayRefundId: string | null;
  gatewayPaymentId: string | null;
  amountMinor: bigint;
  currency: string;
  hasAlert: boolean;
};

async function selectRefunds(owner: Db): Promise<RefundRecord[]> {
  const rows = await owner<(Omit<RefundRecord, 'amountMinor'> & { amountMinor: string })[]>`
    SELECT refunds.id, refunds.source, refunds.state, gateway_refund_id AS "gatewayRefundId", gateway_payment_id AS "gatewayPaymentId",
           refunds.amount_minor::text AS "amountMinor", refunds.currency,
           EXISTS (SELECT FROM alerts WHERE alerts.company_id = refunds.company_id AND alerts.payment_id = refunds.payment_id
                   AND kind IN ('refund_mismatch', 'refund_unresolved')) AS "hasAlert"
    FROM refunds JOIN payments ON payments.company_id = refunds.company_id AND payments.id = payment_id`;
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}

/** I14: each refund at the gateway belongs to one of our refunds, and never more is refunded than was captured. */
function checkRefunds(
  refunds: RefundRecord[],
  kept: Set<string>,
  { captures, refunds: given }: GatewayLedger,
): string[] {
  const found: string[] = [];
  const ofReference = Map.groupBy(given, ({ reference }) => reference);
  for (const refund of refunds) {
    const { id, state, amountMinor, currency } = refund;
    // A refund that was made at the gateway does not have our reference, but we recorded its id.
    const movements =
      refund.source === 'operator'
        ? (ofReference.get(id) ?? [])
        : given.filter((one) => one.id === refund.gatewayRefundId);
    if (movements.length > 1) found.push(`I14 refund ${id} was made ${movements.length} times`);
    if (state === 'failed' && movements.length > 0)
      found.push(`I14 refund ${id} is failed and was made at the gateway`);
    if (state === 'created' || state === 'unknown') found.push(`I14 refund ${id} has no outcome`);
    if (state === 'needs_review' && !refund.hasAlert) found.push(`I14 refund ${id} needs review and nobody is told`);
    if (state !== 'succeeded' || amountMinor === 0n) continue;
    const movement = movements[0];
    const isSame =
      movement?.id === refund.gatewayRefundId &&
      movement.paymentId === refund.gatewayPaymentId &&
      movement.amountMinor === amountMinor &&
      movement.currency === currency;
    if (!isSame) found.push(`I14 refund ${id} has succeeded here, and not so at the gateway`);
  }
  const own = new Set(refunds.flatMap(({ id, gatewayRefundId }) => [id, gatewayRefundId]));
  for (const { id, paymentId, reference } of given) {
    if (!own.has(reference) && !own.has(id) && kept.has(paymentId))
      found.push(`I14 the gateway made the refund ${id}, which Paydesk does not know`);
  }
  const givenOf = Map.groupBy(given, ({ paymentId }) => paymentId);
  for (const { paymentId, amountMinor } of captures) {
    const sum = (givenOf.get(paymentId) ?? []).reduce((total, refund) => total + refund.amountMinor, 0n);
    if (sum > amountMinor) found.push(`I14 of the ${amountMinor} captured by ${paymentId}, ${sum} were refunded`);
  }
  return found;
}

/**
 * The gateway's objects that are not captured in our books; those that are captured, whose refunds at the gateway are not known yet; and
 * our succeeded refunds: our ids or, if the gateway made the refund itself, its ids.
 */
type Unposted = {
  payments: Set<string>;
  kept: Set<string>;
  references: Set<string>;
  /** What of a capture under review was booked and refunded, by the gateway's object. */
  returned: Map<string, bigint>;
};

async function selectUnpostedMoney(owner: Db): Promise<Unposted> {
  const payments = await owner<{ id: string }[]>`
    SELECT coalesce(gateway_payment_id, '') AS id FROM payments WHERE state <> 'captured'
    EXCEPT SELECT gateway_payment_id FROM unallocated_captures WHERE allocated_at IS NULL`;
  const returned = await owner<{ id: string; amountMinor: string }[]>`
    SELECT gateway_payment_id AS id, refunds.amount_minor::text AS "amountMinor"
    FROM refunds JOIN payments ON payments.id = payment_id WHERE returns_capture AND refunds.state = 'succeeded'`;
  const kept = await owner<{ id: string }[]>`
    SELECT gateway_payment_id AS id FROM payments
    WHERE state = 'captured' AND gateway_payment_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM alerts WHERE alerts.payment_id = payments.id AND kind = 'refunded_at_gateway'
    )`;
  const references = await owner<{ id: string }[]>`
    SELECT CASE source WHEN 'operator' THEN id::text ELSE gateway_refund_id END AS id FROM refunds WHERE state = 'succeeded'
    UNION ALL SELECT gateway_refund_id FROM unallocated_captures WHERE refunded_at IS NOT NULL
    UNION ALL SELECT earlier.gateway_refund_id
              FROM unallocated_refunds AS earlier JOIN unallocated_captures AS capture ON capture.id = capture_id
              WHERE allocated_at IS NULL`;
  return {
    payments: new Set(payments.map(({ id }) => id)),
    returned: new Map(returned.map(({ id, amountMinor }) => [id, BigInt(amountMinor)])),
    kept: new Set(kept.map(({ id }) => id)),
    references: new Set(references.map(({ id }) => id)),
  };
}

/** Returns what the gateways withdrew and returned for disputes, as far as our books know. */
async function selectMovements(owner: Db): Promise<Map<string, bigint>> {
  const rows = await owner<{ id: string; amountMinor: string }[]>`
    SELECT gateway_movement_id AS id, (CASE kind WHEN 'withdrawn' THEN amount_minor ELSE -amount_minor END)::text AS "amountMinor"
    FROM dispute_movements WHERE gateway_movement_id IS NOT NULL`;
  return new Map(rows.map(({ id, amountMinor }) => [id, BigInt(amountMinor)]));
}

/** I15: each amount that a gateway withdrew or returned for a dispute of a payment captured here is recorded once. */
function checkMovements(ours: Map<string, bigint>, notCaptured: Set<string>, ledger: GatewayLedger): string[] {
  const there = ledger.disputeMovements ?? [];
  const known = new Set(there.map(({ id }) => id));
  return [
    ...there
      .filter(({ id, paymentId, amountMinor }) => !notCaptured.has(paymentId) && ours.get(id) !== amountMinor)
      .map(
        ({ id, amountMinor }) =>
          `I15 the gateway moved ${amountMinor} by ${id} for a dispute, here it is ${ours.get(id)}`,
      ),
    ...[...ours.keys()].filter((id) => !known.has(id)).map((id) => `I15 ${id} of a dispute is not at the gateway`),
  ];
}

async function selectCash(owner: Db): Promise<Map<string, bigint>> {
  const rows = await owner<{ currency: string; sum: string }[]>`
    SELECT currency, sum(amount_minor)::text AS sum FROM ledger_postings
    WHERE account LIKE 'cash:%' AND kind NOT IN ('gateway_fee', 'payout', 'payout_failed') GROUP BY currency`;
  return new Map(rows.map(({ currency, sum }) => [currency, BigInt(sum)]));
}

/**
 * I5: cash at the gateway, before fees and payouts, is what it captured, less refunds and dispute withdrawals, except for what is under
 * review.
 */
function checkCash(
  cash: Map<string, bigint>,
  { payments, references, returned, movements }: Unposted & { movements: ReadonlyMap<string, bigint> },
  ledger: GatewayLedger,
): string[] {
  const expected = new Map<string, bigint>();
  const add = (currency: string, minor: bigint) => expected.set(currency, (expected.get(currency) ?? 0n) + minor);
  for (const { paymentId, amountMinor, currency } of ledger.captures) {
    if (!payments.has(paymentId)) add(currency, amountMinor);
    else add(currency, returned.get(paymentId) ?? 0n);
  }
  for (const { id, reference, amountMinor, currency } of ledger.refunds) {
    if (references.has(reference) || references.has(id)) add(currency, -amountMinor);
  }
  for (const { id, amountMinor, currency } of ledger.disputeMovements ?? []) {
    if (movements.has(id)) add(currency, -amountMinor);
  }
  const currencies = new Set([...cash.keys(), ...expected.keys()]);
  return [...currencies].flatMap((currency) => {
    const [ours, theirs] = [cash.get(currency) ?? 0n, expected.get(currency) ?? 0n];
    return ours === theirs ? [] : [`I5 cash at the gateway is ${ours} ${currency} here and ${theirs} there`];
  });
}
