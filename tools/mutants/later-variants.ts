/** Mutants of what builds on the charge: refunds, the ledger, the automatic collection, and gateway events. */
import type { Mutant } from './mutant.ts';

const SEND = 'server/src/payments/refunds/issue/send-refund.ts';
const REFUND = 'server/src/payments/refunds/issue/refunds.service.ts';
const LEDGER = 'server/migrations/0015_ledger.sql';
const GATEWAY_EVENTS = 'server/src/payments/gateway-events/gateway-events.ts';

const REFUND_TESTS = [
  'server/src/payments/refunds/issue/refunds.test.ts',
  'server/src/payments/refunds/issue/issue.faults.test.ts',
];

/** Each looks reasonable and is wrong. */
export const LATER_MUTANTS: Mutant[] = [
  {
    name: 'refund-fresh-key',
    variant: 'a refund whose answer was lost is sent again with a key of its own',
    breaks: 'I14',
    tests: REFUND_TESTS,
    patches: [
      {
        file: SEND,
        text: 'idempotencyKey }: Refund): string {',
        replacement: 'idempotencyKey, reconcileCount }: Refund): string {',
      },
      { file: SEND, text: '?? id}-refund`;', replacement: `?? id}-refund-\${reconcileCount}\`;` },
    ],
  },
  {
    name: 'refund-timeout-is-failed',
    variant: 'a refund whose answer was lost is recorded as failed',
    breaks: 'I14',
    tests: REFUND_TESTS,
    patches: [
      {
        file: REFUND,
        text: '    await markUnknown(db, refund.companyId, REFUND_QUEUE, refund.id, FIRST_CHECK_SECONDS);\n',
        replacement: '    await settleRefused(db, refund);\n',
      },
    ],
  },
  {
    name: 'refund-sum-not-locked',
    variant: 'what is left of a payment is read without a lock, and nothing in the database holds refunds back either',
    breaks: 'I14',
    tests: REFUND_TESTS,
    patches: [
      { file: REFUND, text: '  await lockInvoiceToCharge(tx, companyId, invoiceId);\n', replacement: '' },
      {
        file: LEDGER,
        text: 'CREATE TRIGGER refunds_within_payment BEFORE INSERT ON refunds FOR EACH ROW',
        replacement: 'CREATE TRIGGER refunds_within_payment BEFORE INSERT ON refunds FOR EACH ROW WHEN (false)',
      },
      {
        file: LEDGER,
        text: 'CHECK (refunded_total BETWEEN 0 AND credited_total)',
        replacement: 'CHECK (refunded_total >= 0)',
      },
    ],
  },
  {
    name: 'refund-not-posted',
    variant: 'a refund that has succeeded is not posted to the ledger',
    breaks: 'I5',
    tests: REFUND_TESTS,
    patches: [
      {
        file: LEDGER,
        text: '  ) AS line (account, amount_minor)\n  WHERE line.amount_minor <> 0;\n  IF NEW.credit_minor IS DISTINCT FROM (',
        replacement: '  ) AS line (account, amount_minor)\n  WHERE false;\n  IF NEW.credit_minor IS DISTINCT FROM (',
      },
    ],
  },
  {
    name: 'attempt-made-twice',
    variant: 'nothing notes which attempt of the collection a payment was, so a worker that comes late makes it again',
    breaks: 'I16',
    tests: ['server/src/payments/collection/collection.worker.test.ts'],
    patches: [
      {
        file: 'server/src/payments/collection/collection.collect.ts',
        text: '(before.payment === null || isReplaced(before)) && isWorthAnAttempt(before)',
        replacement: 'isWorthAnAttempt(before)',
      },
      {
        file: 'server/src/payments/collection/collection.collect.ts',
        text: 'if (mustTry && before.payment !== null) return',
        replacement: 'if (mustTry && before.payment !== null && isReplaced(before)) return',
      },
      {
        file: 'server/migrations/0012_collection.sql',
        text: 'CREATE UNIQUE INDEX payments_collection_attempt_taken',
        replacement: 'CREATE INDEX payments_collection_attempt_taken',
      },
    ],
  },
  {
    name: 'gateway-event-is-believed',
    variant: 'what a gateway tells through its webhook is believed instead of asked',
    breaks: 'I2',
    tests: ['server/src/payments/gateway-events/gateway-events.test.ts'],
    patches: [
      {
        file: GATEWAY_EVENTS,
        text: 'return settle(db, gateway, payment);',
        replacement:
          'return settle(db, gateway, gatewayEvent.type.endsWith(".succeeded") ? { ...payment, gateway: "told" } : payment);',
      },
      {
        file: GATEWAY_EVENTS,
        text: '  const found = await findObject(gateway, payment.id, payment.gatewayPaymentId);\n',
        replacement: `  const found =
    payment.gateway === 'told'
      ? {
          id: payment.gatewayPaymentId,
          status: 'captured' as const,
          capturedAmountMinor: payment.amountMinor,
          capturedCurrency: payment.currency,
          declineCode: null,
        }
      : await findObject(gateway, payment.id, payment.gatewayPaymentId);
`,
      },
    ],
  },
  {
    name: 'adopt-leaves-open',
    variant: 'adopting leaves open what is open at the gateway',
    breaks: 'not a behaviour of the model',
    tests: ['server/test/model/acceptance/runs.test.ts'],
    patches: [
      {
        file: 'server/src/recovery/adopt/payments.ts',
        text: 'if (found === null || hasEnded(found)) return found;',
        replacement: "if (found === null || found.status !== 'undecided') return found;",
      },
    ],
  },
  {
    name: 'charged-under-hold',
    variant: 'T1 does not read the hold of the database',
    breaks: 'not a behaviour of the model',
    tests: ['server/test/model/acceptance/runs.test.ts'],
    patches: [
      {
        file: 'server/src/payments/charge/intent.ts',
        text: '    selectLivePayment(tx, companyId, invoiceId),\n    assertNotHeld(tx),\n',
        replacement: '    selectLivePayment(tx, companyId, invoiceId),\n',
      },
    ],
  },
];
