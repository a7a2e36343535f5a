import { DEBT_MUTANTS, FAILED_WITHOUT_ASKING, notAsked } from './debt-variants.ts';
import { LATER_MUTANTS } from './later-variants.ts';
import type { Mutant, Patch } from './mutant.ts';

const CHARGE = 'server/src/payments/charge/charge.ts';
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
        text: 'if (!(await observed(step, send, (outcome) => ({ outcome })))) return null;\n',
        replacement: 'await observed(step, send, (outcome) => ({ outcome }));\n',
      },
      {
        file: SETTLE,
        text: '    const isStillOurs = await postponeCheck(tx, companyId, PAYMENT_QUEUE, payment, 0);\n',
        replacement:
          "    const gone = { reason: 'rejected', declineCode: null } as const;\n" +
          '    if (await markUnsent(tx, companyId, id, gone)) return failInvoice(tx, companyId, payment.invoiceId, id);\n' +
          '    const isStillOurs = await postponeCheck(tx, companyId, PAYMENT_QUEUE, payment, 0);\n',
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
        text: '  await markUnknown(db, payment.companyId, PAYMENT_QUEUE, payment.id, FIRST_CHECK_SECONDS);\n',
        replacement:
          '  const { gatewayPaymentId } = await selectPayment(db, payment.companyId, payment.id);\n' +
          "  await settleCanceled(db, payment, gatewayPaymentId ?? '');\n",
      },
      {
        file: CHARGE,
        text: 'import { settleUnsent }',
        replacement: 'import { settleCanceled, settleUnsent }',
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
        text: '  if (found === null) return false;\n',
        replacement:
          '  if (found === null) return settleCanceled(db, payment, payment.gatewayPaymentId).then(() => true);\n',
      },
      {
        file: RECONCILE,
        text: 'import { settleUnresolved, ',
        replacement: 'import { settleCanceled, settleUnresolved, ',
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
        file: CHARGE,
        text: "  if (running !== null) return { kind: 'running', payment: running };\n",
        replacement: '  if (running?.id === invoiceId) return { kind: "running", payment: running };\n',
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
        file: CHARGE,
        text: `    transaction(db, async (tx) =>
      askInParallel(dependencies, await openPayment({ ...dependencies, tx }, { ...invoice, id }, initiator, asked)),
    ),
`,
        replacement: `    transaction(db, async (tx) => {
    const first = await openPayment({ ...dependencies, tx }, { ...invoice, id }, initiator, asked);
    if (first.kind !== 'started') return askInParallel(dependencies, first);
    const { amountMinor, currency, gatewayToken } = first.payment;
    const gateway = dependencies.gateways.of(first.payment.gateway);
    const request = { idempotencyKey: \`\${id}-create\`, amountMinor, currency, sourceToken: gatewayToken ?? '', reference: id };
    const made = await gateway.createPayment(request);
    const sourceToken = gatewayToken ?? '';
    await gateway.confirmPayment({ gatewayPaymentId: made.id, idempotencyKey: \`\${id}-confirm\`, sourceToken });
    return askInParallel(dependencies, first);
  }),
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
        text: ` AND state IN ('created', 'sending', 'unknown')
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
];
