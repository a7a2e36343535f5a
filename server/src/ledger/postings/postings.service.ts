import {
  createCreditNote,
  findInvoiceCompany,
  lockInvoiceToCharge,
  voidInvoice,
} from '../../billing/invoices/invoices.service.ts';
import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { findLivePayment } from '../../payments/payment/invoice-payments.service.ts';
import { writeRefund } from '../../payments/refunds/issue/refunds.service.ts';
import { type Db, type Tx, tryOut } from '../../platform/database/database.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { formatAmount } from '../../platform/money/money.ts';
import { type SumRow, selectAmountDue, selectBefore, sumPostingsAfter } from './postings.queries.ts';
import type { ActionPostings, PostingsQuery } from './postings.schema.ts';

/** The credit note or refund of a preview has a reason like every other. */
const REASON = 'Preview';

/**
 * What an action would post, and what would be due on the invoice afterwards: found by doing it in a transaction that is rolled back. The
 * marks of a journal are written to its file after a commit, and events and mails are rows, so nothing of the action gets out.
 * @throws ApiError 400; what the action is refused with
 */
export async function previewPostings(db: Db, invoiceId: string, query: PostingsQuery): Promise<ActionPostings> {
  if (query.of === 'void' && query.amount !== undefined) throw invalidField('amount', 'must be absent for a void');
  return tryOut(db, async (tx) => {
    const companyId = await findInvoiceCompany(tx, invoiceId);
    await lockInvoiceToCharge(tx, companyId, invoiceId);
    const { paymentId, lastPosting } = await selectBefore(tx, companyId, invoiceId);
    await act(tx, { invoiceId, paymentId }, query);
    const sums = await sumPostingsAfter(tx, companyId, { invoiceId, lastPosting });
    return { data: sums.map(toPosting), amountDue: await selectAmountDue(tx, companyId, invoiceId) };
  });
}

type Target = { invoiceId: string; paymentId: string | null };

async function act(tx: Tx, { invoiceId, paymentId }: Target, { of, amount }: PostingsQuery): Promise<void> {
  if (of === 'void') await voidInvoice(tx, invoiceId, findRunning);
  else if (of === 'credit_note') {
    if (amount === undefined) throw invalidField('amount', 'is required for a credit note');
    await assertNotHeld(tx);
    await createCreditNote(tx, invoiceId, { amount, reason: REASON }, findRunning);
  } else {
    if (paymentId === null) throw new ApiError('payment_not_captured', 'No payment has paid the invoice.');
    await writeRefund(tx, paymentId, { reason: REASON, ...(amount === undefined ? {} : { amount }) });
  }
}

/** A payment that waits for its customer would be canceled. */
async function findRunning(tx: Tx, companyId: string, invoiceId: string): Promise<string | null> {
  const state = await findLivePayment(tx, companyId, invoiceId);
  return state === 'requires_action' ? null : state;
}

function toPosting({ account, currency, amountMinor }: SumRow): ActionPostings['data'][number] {
  const minor = BigInt(amountMinor);
  return {
    account,
    currency,
    debit: minor > 0n ? formatAmount(minor, currency) : null,
    credit: minor < 0n ? formatAmount(-minor, currency) : null,
  };
}
