import { DEBT_MUTANTS, FAILED_WITHOUT_ASKING, notAsked } from './debt-variants.ts';
import { LATER_MUTANTS } from './later-variants.ts';
import type { Mutant, Patch } from './mutant.ts';
import { WAITING_MUTANTS } from './waiting-variants.ts';

const CHARGE = 'server/src/payments/charge/charge.ts';
const INTENT = 'server/src/payments/charge/intent.ts';
const SEND = 'server/src/payments/charge/gateway-object.ts';
const SETTLE = 'server/src/payments/settlement/settle-payment.ts';
const OUTCOME = 'server/src/payments/charge/gateway-answer.ts';
const RECONCILE = 'server/src/payments/reconcile/reconcile-payments.ts';
const QUERIES = 'server/src/payments/payment/payment.queries.ts';
const INVOICES = 'server/src/billing/invoices/record/invoices.queries.ts';
const MIGRATION = 'server/migrations/0053_captures_of_another_amount.sql';

/** Without the tests that start processes. Those would find the mutants too, but take minutes for each. */
const TESTS = [
  'payments.test.ts',
  'charge/charge.faults.test.ts',
  'charge/charge.concurrency.test.ts',
  'reconcile/reconcile.test.ts',
  'settlement/settle-payment.test.ts',
].map((name) => `server/src/payments/${name}`);

/** The reconciler no longer reads the payment by its id, but sends the whole charge again. */
const RESENDS_ALL: Patch = {
  file: RECONCILE,
  text: 'if (payment.gatewayPaymentId === null) {',
  replacement: 'if (payment.id !== null) {',
};

/** A second object may replace the first one. */
const ANY_OBJECT: Patch = {
  file: QUERIES,
  text: `      AND (gateway_payment_id IS NULL OR gateway_payment_id = \${gatewayPaymentId})\n`,
  replacement: '',
};

/**
 * Nine broken variants of the protocol. An exhaustive check of a model of the protocol found each of them. Each one must make the tests
 * fail.
 */
const CHARGE_MUTANTS: Omit<Mutant, 'tests'>[] = [
  {
    name: 'sender-outlives-the-keys',
    variant: 'a sender that stalls sends all the same, after the payment was given up as Failed',
    breaks: 'I4',
    patches: [
      {
        file: SEND,
        text: "if (!(await observed(step, send, (outcome) => ({ outcome })))) return { kind: 'continued' };\n",
        replacement: 'await observed(step, send, (outcome) => ({ outcome }));\n',
      },
      {
        file: SETTLE,
        text: '  if ((await markNeedsReview(tx, payment.companyId, payment.id)) === null) return;\n',
        replacement:
          "  const gone = { reason: 'rejected', declineCode: null } as const;\n" +
          '  const { companyId, id, invoiceId } = payment;\n' +
          '  if (await markUnsent(tx, companyId, id, gone)) return failInvoice(tx, companyId, invoiceId, id);\n' +
          '  if ((await markNeedsReview(tx, companyId, id)) === null) return;\n',
      },
    ],
  },
  {
    name: 'declined-not-canceled',
    variant: 'a decline is Failed at once, and the object of the gateway stays open',
    breaks: 'I4',
    patches: [
      FAILED_WITHOUT_ASKING,
      {
        file: OUTCOME,
        text: '      const canceled = await cancelObject(gateway, payment, found.id);\n',
        replacement: "      const canceled: GatewayPayment = { ...found, status: 'canceled' };\n",
      },
    ],
  },
  {
    name: 'fresh-key',
    variant: 'the reconciler sends the charge again, with keys of its own',
    breaks: 'I1',
    patches: [RESENDS_ALL, ANY_OBJECT, notAsked('1 + payment.reconcileCount')],
  },
  {
    name: 'timeout-is-failed',
    variant: 'an answer that was lost is recorded as Failed',
    breaks: 'I4',
    patches: [
      {
        file: CHARGE,
        text: "  if (outcome.kind === 'unknown') await markUnknown(db, companyId, PAYMENT_QUEUE, id, FIRST_CHECK_SECONDS);\n",
        replacement:
          '  const { gatewayPaymentId } = await selectPayment(db, companyId, id);\n' +
          "  if (outcome.kind === 'unknown') await settleCanceled(db, started.payment, gatewayPaymentId ?? '');\n",
      },
      {
        file: CHARGE,
        text: 'import { type Settled, settleUnsent }',
        replacement: 'import { type Settled, settleCanceled, settleUnsent }',
      },
    ],
  },
  {
    name: 'not-found-is-believed',
    variant: 'the reconciler believes "not found" at once, while the request is on its way',
    breaks: 'I4',
    patches: [
      {
        file: RECONCILE,
        text: "  if (found === null) return { kind: 'unknown' };\n",
        replacement:
          "  if (found === null) return outcomeOf(await settleCanceled(db, payment, payment.gatewayPaymentId), 'unknown');\n",
      },
      {
        file: RECONCILE,
        text: 'import { settleUnsent, ',
        replacement: 'import { settleCanceled, settleUnsent, ',
      },
    ],
  },
  {
    name: 'no-guard',
    variant: 'nothing keeps an invoice from having two live payments',
    breaks: 'I1',
    patches: [
      notAsked('Number.parseInt(payment.id.slice(-5), 16) + 1'),
      {
        file: INTENT,
        text: "  if (running !== null && !isWaiting(running)) return { kind: 'running', payment: running };\n",
        replacement: '',
      },
      {
        file: INTENT,
        text: '  if (running !== null) {\n',
        replacement: '  if (running !== null && isWaiting(running)) {\n',
      },
      {
        file: MIGRATION,
        text: 'CREATE UNIQUE INDEX payments_one_live',
        replacement: 'CREATE INDEX payments_one_live',
      },
    ],
  },
  {
    name: 'charge-first',
    variant: 'the charge first, the record after: the intent commits when the gateway has answered',
    breaks: 'I3',
    patches: [
      {
        file: INTENT,
        text: "  failpoint('before_intent_commit');\n",
        replacement: `  const gateway = gateways.of(payment.gateway);
  const sourceToken = payment.gatewayToken ?? '';
  const request = { idempotencyKey: \`\${id}-create\`, amountMinor, currency, sourceToken, reference: id };
  const made = await gateway.createPayment(request);
  await gateway.confirmPayment({ gatewayPaymentId: made.id, idempotencyKey: \`\${id}-confirm\`, sourceToken });
  failpoint('before_intent_commit');
`,
      },
    ],
  },
  {
    name: 'same-key-after-pruning',
    variant: 'the reconciler sends the charge again with the same keys, after the gateway forgot them',
    breaks: 'I1',
    patches: [RESENDS_ALL, ANY_OBJECT, notAsked('1')],
  },
  {
    name: 'late-failed-overwrites',
    variant: 'a late word of failure overwrites captured',
    breaks: 'I4',
    patches: [
      {
        file: QUERIES,
        text: ` AND \${tx.unsafe(IS_STILL_OPEN)}
      AND gateway_payment_id = \${gatewayPaymentId}
`,
        replacement: `
      AND gateway_payment_id = \${gatewayPaymentId}
`,
      },
      {
        file: INVOICES,
        text: `      UPDATE invoices SET status = 'Failed', updated_at = now()
      WHERE company_id = \${companyId} AND id = \${id} AND status = 'Processing'`,
        replacement: `      UPDATE invoices SET status = 'Failed', payment_id = NULL, updated_at = now()
      WHERE company_id = \${companyId} AND id = \${id}`,
      },
    ],
  },
];

/** All mutants, beginning with those of the charge. */
export const MUTANTS: Mutant[] = [
  ...CHARGE_MUTANTS.map((mutant) => ({ ...mutant, tests: TESTS })),
  ...DEBT_MUTANTS,
  ...LATER_MUTANTS,
  ...WAITING_MUTANTS,
];
