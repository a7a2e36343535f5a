/** Mutants that each omit one rule that prevents a second charge after the database went back in time. */
import type { Mutant, Patch } from './mutant.ts';

const SEND = 'server/src/payments/charge/gateway-object.ts';
const LOST = 'server/src/payments/adopt/lost-captures.ts';
const TESTS = ['server/src/payments/adopt/adopt.restore.test.ts'];

/** Creates a gateway object without asking for the debt first. @param sequence - how the object is numbered instead */
export function notAsked(sequence: string): Patch {
  const answer = `{ captures: [], nextSequence: ${sequence}, capturesRefunded: 0, askedAtMs: performance.now() }`;
  return {
    file: SEND,
    text: 'const answer = await askForDebt(gateway, payment, debt, { firstDebtAnswer });',
    replacement: `const answer = ${answer};`,
  };
}

/** Treats what one object says as final. */
export const FAILED_WITHOUT_ASKING: Patch = {
  file: 'server/src/payments/charge/gateway-answer.ts',
  text: 'const adopted = await adoptIfCaptured(db, gateway, payment);\n      return adopted ?? outcomeOf(',
  replacement: 'return outcomeOf(',
};

/** Each looks reasonable and is wrong. */
export const DEBT_MUTANTS: Mutant[] = [
  {
    name: 'debt-not-asked',
    variant: 'an object is made without asking the gateway what it has of the debt',
    breaks: 'I17',
    tests: TESTS,
    patches: [notAsked('1')],
  },
  {
    name: 'debt-captures-only',
    variant: 'asking sees captures alone, and leaves open what is open',
    breaks: 'I17',
    tests: TESTS,
    patches: [
      {
        file: 'server/src/payments/debt/debt.ts',
        text: 'const open = objects.filter(({ id, status }) => isOpen(status) && id !== payment.gatewayPaymentId);',
        replacement: 'const open = objects.filter(({ id, status }) => isOpen(status) && id === status);',
      },
    ],
  },
  {
    name: 'debt-failed-without-asking',
    variant: 'a payment fails by what one object says, without asking for its debt',
    breaks: 'I18',
    tests: TESTS,
    patches: [FAILED_WITHOUT_ASKING],
  },
  {
    name: 'debt-booked-passed-over',
    variant: 'a capture that the books have already is passed over by whoever asks',
    breaks: 'I17',
    tests: TESTS,
    patches: [
      {
        file: SEND,
        text: 'if (answer.captures.length > 0) {',
        replacement:
          "const booked = await db`SELECT gateway_payment_id AS id FROM payments WHERE state = 'captured'`;\n" +
          '  if (answer.captures.some(({ id }) => !booked.some((one) => one.id === id))) {',
      },
    ],
  },
  {
    name: 'credit-not-asked',
    variant: 'credit that a restore returned settles an invoice without asking for its debt',
    breaks: 'I3',
    tests: TESTS,
    patches: [
      {
        file: LOST,
        text: 'if (others.length === 0 || !isConfigured) return [];',
        replacement: 'if (others.length === 0 || !isConfigured || gateway === null) return [];',
      },
    ],
  },
  {
    name: 'debt-asked-at-one-gateway',
    variant: 'a debt that another gateway may have captured is charged without asking that gateway',
    breaks: 'I17',
    tests: ['server/src/payments/adopt/lost-captures.test.ts'],
    patches: [
      {
        file: LOST,
        text: 'const isConfigured = gateway === null || others.length < configured.length;',
        replacement: 'const isConfigured = gateway === null;',
      },
      { file: LOST, text: 'if (others.length === 0) return [];', replacement: 'if (others.length >= 0) return [];' },
    ],
  },
  {
    name: 'failed-under-hold',
    variant: 'a held database writes a payment as failed with an answer from before it went back',
    breaks: 'I18',
    tests: ['server/src/recovery/hold/hold.charges.test.ts'],
    patches: [
      {
        file: 'server/src/payments/settlement/settle-payment.ts',
        text: 'lockCompany(tx, companyId), assertNotHeld(tx)]);\n  const failed = await markCanceled(',
        replacement: 'lockCompany(tx, companyId)]);\n  const failed = await markCanceled(',
      },
    ],
  },
  {
    name: 'debt-by-invoice',
    variant: 'what a billing run bills is named by the id of its invoice',
    breaks: 'I3',
    tests: TESTS,
    patches: [
      {
        file: 'server/src/billing/invoices/record/debt.ts',
        text: 'return { id: deriveId(debt, periodEndAt), debt };',
        replacement: `const id = uuidv7(); return { id, debt: \`ref:\${companyId}:\${id}\` };`,
      },
    ],
  },
  {
    name: 'refund-not-asked',
    variant: 'a refund is made without asking what the gateway has refunded before',
    breaks: 'I14',
    tests: TESTS,
    patches: [
      {
        file: 'server/src/payments/refunds/issue/refunds.service.ts',
        text: 'if (payment === null || isRepeated) return askedAtMs;',
        replacement: 'if (payment === null || payment.id !== null || isRepeated) return askedAtMs;',
      },
    ],
  },
];
