/** Mutants of payments that wait for their customer or their bank. */
import type { Mutant } from './mutant.ts';

const OUTCOME = 'server/src/payments/charge/gateway-answer.ts';
const CANCEL = 'server/src/payments/charge/cancel-waiting.ts';
const WAITING = 'server/src/payments/charge/waiting.ts';
const DEBITS = 'server/src/payments/reconcile/reconcile-debits.ts';
const CONFIRMATION_TESTS = ['server/src/payments/charge/charge.confirmation.test.ts'];
const DEBIT_TESTS = ['server/src/payments/charge/charge.debits.test.ts'];

/** Each looks reasonable and is wrong. */
export const WAITING_MUTANTS: Mutant[] = [
  {
    name: 'asking-is-declined',
    variant: 'a charge that the bank wants confirmed is Failed at once, and the object of the gateway stays open',
    breaks: 'I4',
    tests: CONFIRMATION_TESTS,
    patches: [
      {
        file: OUTCOME,
        text: '      return waitForCustomer(db, gateway, payment, found);\n',
        replacement:
          "      await recordDecline(db, payment.companyId, payment.id, 'authentication_required');\n" +
          "      return outcomeOf(await settleCanceled(db, payment, found.id), 'continued');\n",
      },
    ],
  },
  {
    name: 'replaced-not-canceled',
    variant: 'a payment that waits is Failed for another card, and its object at the gateway is not canceled',
    breaks: 'I4',
    tests: CONFIRMATION_TESTS,
    patches: [
      {
        file: WAITING,
        text: "  const canceled = await cancelObject(gateway, payment, payment.gatewayPaymentId ?? '');\n",
        replacement:
          "  const id = payment.gatewayPaymentId ?? '';\n" +
          '  const nothing = { capturedAmountMinor: null, capturedCurrency: null, declineCode: null };\n' +
          "  const canceled: GatewayPayment = { id, status: 'canceled', ...nothing };\n",
      },
    ],
  },
  {
    name: 'expired-without-asking',
    variant: 'a payment whose time has passed is Failed, whatever the customer has done at the gateway',
    breaks: 'I4',
    tests: CONFIRMATION_TESTS,
    patches: [
      {
        file: WAITING,
        text: "  failpoint('before_look');\n",
        replacement:
          '  if (payment.isExpired) {\n' +
          "    await recordDecline(db, companyId, id, 'authentication_expired');\n" +
          "    return outcomeOf(await settleCanceled(db, payment, gatewayPaymentId ?? ''), 'continued');\n" +
          '  }\n',
      },
      {
        file: WAITING,
        text: 'import { settleMissing } from',
        replacement: 'import { settleCanceled, settleMissing } from',
      },
    ],
  },
  {
    name: 'debit-is-captured',
    variant: 'a debit that the bank has accepted counts as paid',
    breaks: 'I2',
    tests: DEBIT_TESTS,
    patches: [
      {
        file: OUTCOME,
        text: '      return waitForBank(db, payment, found);\n',
        replacement:
          '      return applyAnswer(db, gateway, payment, {\n' +
          "        ...{ ...found, status: 'captured' },\n" +
          '        ...{ capturedAmountMinor: payment.amountMinor, capturedCurrency: payment.currency },\n' +
          '      });\n',
      },
    ],
  },
  {
    name: 'debit-is-voided',
    variant: 'an invoice is voided while a debit of it is on its way',
    breaks: 'I4',
    tests: DEBIT_TESTS,
    patches: [
      {
        file: CANCEL,
        text: '    return live?.state ?? null;\n',
        replacement: "    return live?.state === 'processing' ? null : (live?.state ?? null);\n",
      },
    ],
  },
  {
    name: 'debit-fails-by-its-age',
    variant: 'a debit that has not ended in time is Failed, though nothing can stop it',
    breaks: 'I4',
    tests: DEBIT_TESTS,
    patches: [
      {
        file: DEBITS,
        text: '  await settleUnresolved(DEBITS, db, payment);\n',
        replacement: "  await settleCanceled(db, payment, payment.gatewayPaymentId ?? '');\n",
      },
      {
        file: DEBITS,
        text: 'import { writeDebitUnresolved } from',
        replacement: 'import { settleCanceled, writeDebitUnresolved } from',
      },
    ],
  },
  {
    name: 'voided-not-canceled',
    variant:
      'an invoice is voided while a payment waits for its customer, and its object at the gateway is not canceled',
    breaks: 'I4',
    tests: ['server/src/payments/collection/collection.confirmation.test.ts'],
    patches: [
      {
        file: CANCEL,
        text: '    if (live !== null && isWaiting(live)) throw cancelFirst(dependencies, [live]);\n',
        replacement: '    if (live !== null && isWaiting(live)) return null;\n',
      },
    ],
  },
  {
    name: 'missing-is-believed',
    variant: 'a payment whose time has passed is Failed when its object is not found, without asking for the debt',
    breaks: 'I4',
    tests: CONFIRMATION_TESTS,
    patches: [
      {
        file: WAITING,
        text: '  const adopted = await adoptIfCaptured(db, gateway, payment);\n  if (adopted !== null) return adopted;\n',
        replacement: '',
      },
      {
        file: WAITING,
        text: "  if (objects.some(({ id }) => id === payment.gatewayPaymentId)) return { kind: 'unknown' };\n",
        replacement: '',
      },
      {
        file: WAITING,
        text: '  const { objects } = await listObjects(gateway, payment, request);\n',
        replacement: '',
      },
    ],
  },
  {
    name: 'debit-passed-over',
    variant: 'a debt is charged while a debit of it that the books lack is on its way',
    breaks: 'I17',
    tests: ['server/src/recovery/adopt/debits.test.ts'],
    patches: [
      {
        file: 'server/src/payments/debt/debt.ts',
        text: "        status === 'processing' && id !== payment.gatewayPaymentId;\n",
        replacement: "        status === 'processing' && id === status;\n",
      },
    ],
  },
  {
    name: 'debit-not-disputed',
    variant: 'a debit that has settled counts as paid for good, and nobody looks whether the bank took it back since',
    breaks: 'I15',
    tests: DEBIT_TESTS,
    patches: [
      {
        file: DEBITS,
        text: "  if (found.status === 'captured') await importDisputesOf(db, gateway, payment).catch(ignoreGatewayError);\n",
        replacement: '',
      },
    ],
  },
];
