import { mailCompanies } from '../../identity/mail-settings/mail-settings.service.ts';
import type { Tx } from '../../platform/database/database.ts';

import { isHardDecline } from '../payment/hard-declines.ts';
import type { Payment } from '../payment/payment.ts';
import { CONFIRMATION_NEEDED } from './confirmation-needed.ts';
import { type NextStep, PAYMENT_FAILED } from './payment-failed.ts';
import { confirmationMail, failedMail, receiptMail } from './payment-mails.parts.queries.ts';
import { addNextStep } from './payment-mails.queries.ts';
import { RECEIPT } from './receipt.ts';

/** Writes the receipt of a payment that has succeeded, once its invoice says what is still due. */
export async function mailReceipt(tx: Tx, companyId: string, paymentId: string): Promise<void> {
  await mailCompanies(tx, RECEIPT, receiptMail(tx, companyId, paymentId));
}

/** Writes the mail about a payment that its customer, who is not there, has to confirm. */
export async function mailConfirmation(tx: Tx, { companyId, id }: Payment): Promise<void> {
  await mailCompanies(tx, CONFIRMATION_NEEDED, confirmationMail(tx, companyId, id));
}

/** Writes the mail about a payment that was declined. Any other failure is none of the company's doing, and it gets no mail. */
export async function mailFailure(tx: Tx, { companyId, id, failureReason, declineCode }: Payment): Promise<void> {
  if (failureReason !== 'declined' && failureReason !== 'rejected') return;
  const given = failedMail(tx, companyId, { paymentId: id, isFinal: isHardDecline(declineCode) });
  await mailCompanies(tx, PAYMENT_FAILED, given);
}

/** Tells in the mail about a declined payment what the collection will do. */
export async function mailNextStep(
  tx: Tx,
  companyId: string,
  step: { invoiceId: string; paymentId: string; next: NextStep },
): Promise<void> {
  await addNextStep(tx, companyId, step);
}
