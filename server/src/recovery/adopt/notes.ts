import type { GatewayPayment, GatewayPaymentObject } from '../../gateways/gateway/gateway.ts';
import type { AdoptedCapture, CaptureToAdopt } from '../../payments/adopt/adopt.service.ts';
import { formatAmount } from '../../platform/money/money.ts';
import type { Decision } from './decide.ts';

/* What is written about a case, for people: what was done, or what is known, what can be done, and by which command. */

const COMMAND = 'npm run paydesk -- reconcile --adopt --yes';
const BOTH_BOOKED = 'both are booked to the account `unallocated`';

/** Says what is done about an open case of a gateway, for people. @param status - of a payment, as the gateway has it */
export function planOfObject(kind: string, status: string | null): string {
  if (kind === 'refund')
    return 'The refund is booked with its credit note. If it failed at the gateway, the failure is only noted.';
  if (status === 'captured')
    return 'The capture is booked and pays its invoice, if the same amount is due. If not, a person decides.';
  if (status === 'created' || status === 'requires_action' || status === 'undecided')
    return 'The payment is canceled at the gateway. If it was captured meanwhile, the capture is booked.';
  if (status === 'processing') return 'The debit is on its way: its payment runs again, and ends as the gateway says.';
  return 'The payment is only noted: nothing was charged with it.';
}

/** Nothing was captured with the object, and nothing can be. */
export function notCaptured(found: GatewayPayment | null, object: GatewayPaymentObject): Decision {
  if (found === null && object.status === 'captured') {
    const note =
      `The gateway listed the capture ${object.id} of ${formatAmount(object.capturedAmountMinor ?? 0n, object.currency)} ` +
      `${object.currency}, and does not know it now. If it has another account, look the capture up in the former one, and refund it ` +
      'there.';
    return { state: 'person', note };
  }
  if (found === null) return { state: 'done', note: 'The gateway no longer has this payment.' };
  return { state: 'done', note: 'The payment is canceled at the gateway, so nothing can be captured with it.' };
}

/** The database has no company for it. */
export function noCompany(companyId: string, capture: CaptureToAdopt): Decision {
  const what = `The gateway captured ${moneyOf(capture)} of company ${companyId}, which is not in the database`;
  const move = `everything of that company to another one with \`${COMMAND} --company ${companyId}=<its new id>\``;
  const note = isRefunded(capture)
    ? `${what}, and refunded all of it: ${BOTH_BOOKED}. If the company has signed up again, book ${move}; if not, nothing is left to do.`
    : `${what}. Book ${move}, or ${refund(capture)}.`;
  return { state: 'person', note };
}

/** The database has no company for a debit that is on its way. */
export function noCompanyOfDebit(companyId: string, object: GatewayPaymentObject): Decision {
  const note =
    `The debit ${object.id} of ${debitOf(object)} of company ${companyId}, which is not in the database, is on its way. Book everything ` +
    `of that company to another one with \`${COMMAND} --company ${companyId}=<its new id>\`, or refund it once it has settled.`;
  return { state: 'person', note };
}

/** A debit that is on its way: its payment runs again, unless the invoice is void, or another payment has taken money. */
export function debitRuns(state: string, { number }: { number: string }, object: GatewayPaymentObject): Decision {
  const what = `The debit ${object.id} of ${debitOf(object)} for invoice ${number}`;
  if (state === 'processing')
    return { state: 'done', note: `${what} is on its way: its payment runs again, and ends as the gateway says.` };
  const note = `${what} is on its way, but the invoice is void, or another payment has taken money: refund it once it has settled.`;
  return { state: 'person', note };
}

function debitOf({ amountMinor, currency }: GatewayPaymentObject): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

/** The refund that a person has begun was made. */
export function refundMade(gatewayRefundId: string): Decision {
  return { state: 'done', note: `Refunded with ${gatewayRefundId}.` };
}

/** A person has begun to refund it, so no invoice gets it. */
export function refundBegun(capture: CaptureToAdopt): Decision {
  const note = `A refund of the ${moneyOf(capture)} was begun, and the gateway has not answered it: ${refund(capture)}.`;
  return { state: 'person', note };
}

/** Its invoice is lost and can't be written again. */
export function noInvoice(
  reason: string,
  companyId: string,
  { object, capture }: { object: GatewayPaymentObject; capture: CaptureToAdopt },
): Decision {
  if (isRefunded(capture)) return refundedInFull(capture);
  const { debt, details } = object;
  const invoice = `invoice ${details.invoiceNumber ?? details.invoiceId ?? 'of an unknown number'}`;
  const note =
    `The gateway captured ${moneyOf(capture)} of company ${companyId} for ${invoice} (${debt ?? 'no debt'}), which is not in the ` +
    `database. ${reason} Issue the invoice again after the hold and charge it, which finds the capture, or ${refund(capture)}.`;
  return { state: 'person', note };
}

type Booking = { invoice: { number: string; remark: string | null }; capture: CaptureToAdopt };

/** What the capture is in the books. */
export function booked(adopted: AdoptedCapture, { invoice, capture }: Booking): Decision {
  const decision = describe(adopted, { invoice, capture });
  if (invoice.remark === null) return decision;
  return { state: 'person', note: `${decision.note} ${invoice.remark}` };
}

function describe(adopted: AdoptedCapture, { invoice: { number }, capture }: Booking): Decision {
  const what = `The gateway captured ${moneyOf(capture)} for invoice ${number}`;
  switch (adopted.outcome) {
    case 'captured':
      return { state: 'done', note: `${what}, which is paid by payment ${adopted.payment.id}.` };
    case 'refunded':
      return refundedInFull(capture);
    case 'needs_review': {
      const resolve = `POST /operator/payments/${adopted.payment.id}/resolve`;
      const note =
        `${what}, of which another amount is due, or nothing: payment ${adopted.payment.id} is under review. Accept the capture with ` +
        `${resolve} and {"outcome": "succeeded"}, or refund it with {"outcome": "refunded"}.`;
      return { state: 'person', note, reviewOf: adopted.payment.id };
    }
    case 'failed':
      return {
        state: 'person',
        note: `${what} with payment ${adopted.payment.id}, which has failed here: ${refund(capture)}.`,
      };
    case 'second':
      return {
        state: 'person',
        note:
          `${what}, which payment ${adopted.payment.id} is for already. Accept the capture as credit of the company with ` +
          `\`${COMMAND} --accept ${capture.id}\`, or ${refund(capture)}.`,
      };
  }
}

/** What it was for is not here, or is paid otherwise. */
function refundedInFull(capture: CaptureToAdopt): Decision {
  return { state: 'done', note: `The gateway captured ${moneyOf(capture)} and refunded all of it: ${BOTH_BOOKED}.` };
}

function isRefunded({ refundedMinor, capturedAmountMinor }: CaptureToAdopt): boolean {
  return refundedMinor >= (capturedAmountMinor ?? 0n);
}

function moneyOf({ capturedAmountMinor, capturedCurrency }: CaptureToAdopt): string {
  return `${formatAmount(capturedAmountMinor ?? 0n, capturedCurrency ?? 'USD')} ${capturedCurrency}`;
}

function refund({ id }: CaptureToAdopt): string {
  return `refund it with \`${COMMAND} --refund ${id}\``;
}
