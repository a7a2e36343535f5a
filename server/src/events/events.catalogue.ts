import type { TSchema } from 'typebox';
import { UserProfile } from '../accounts/accounts.schema.ts';
import { Address } from '../addresses/addresses.schema.ts';
import { Alert } from '../alerts/alerts.schema.ts';
import { BillingInformation } from '../billing-information/billing-information.schema.ts';
import { Card } from '../cards/cards.schema.ts';
import { Dispute } from '../disputes/disputes.schema.ts';
import { uuid } from '../http/fields.ts';
import { Type } from '../http/type.ts';
import { CreditNote } from '../invoices/invoices.corrections.schema.ts';
import { Invoice, Payment } from '../invoices/invoices.schema.ts';
import { Item } from '../items/items.schema.ts';
import { Label } from '../labels/labels.schema.ts';
import { PaypalAccount } from '../paypal-accounts/paypal-accounts.schema.ts';
import { Refund } from '../refunds/refunds.schema.ts';
import { UsageThresholdReached } from '../usage-thresholds/usage-thresholds.schema.ts';
import type { EventType } from './events.schema.ts';

const Ping = Type.Object({
  endpointId: uuid(),
  url: Type.String({ examples: ['https://hooks.example.com/paydesk'] }),
});

type Entry = {
  /** When it happens. */
  summary: string;
  /** What `data` holds: the same as the API shows. */
  data: TSchema;
  /** Where its example differs from what the fields' examples add up to. */
  example?: object;
};

const PAYMENT_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41';
const DECLINED = { status: 'Failed', declineCode: 'insufficient_funds' };

/** What each event means and brings along. */
export const EVENT_CATALOGUE: Record<EventType, Entry> = {
  'card.created': { summary: 'A card was saved.', data: Card },
  'card.updated': { summary: 'A card was changed, or another one took the default from it.', data: Card },
  'card.deleted': { summary: 'A card was deleted; `data` is as it was.', data: Card },
  'paypal_account.created': { summary: 'A PayPal account was saved.', data: PaypalAccount },
  'paypal_account.updated': {
    summary: 'A PayPal account was changed, or another one took the default from it.',
    data: PaypalAccount,
  },
  'paypal_account.deleted': { summary: 'A PayPal account was deleted; `data` is as it was.', data: PaypalAccount },
  'address.created': { summary: 'An address was saved.', data: Address },
  'address.updated': { summary: 'An address was changed.', data: Address },
  'address.deleted': { summary: 'An address was deleted; `data` is as it was.', data: Address },
  'billing_information.updated': { summary: 'The billing information was changed.', data: BillingInformation },
  'invoice.created': {
    summary: 'An invoice was issued, by the operator or a billing run.',
    data: Invoice,
    example: { status: 'Processing', paymentId: null, voidedAt: null },
  },
  'invoice.succeeded': {
    summary: 'An invoice was paid.',
    data: Invoice,
    example: { status: 'Succeeded', paymentId: PAYMENT_ID, voidedAt: null },
  },
  'invoice.failed': {
    summary: 'A charge of an invoice failed; a later one may succeed.',
    data: Invoice,
    example: { status: 'Failed', paymentId: null, voidedAt: null },
  },
  'invoice.voided': {
    summary: 'An invoice was voided.',
    data: Invoice,
    example: { status: 'Processing', paymentId: null, voidedAt: '2026-10-02T00:00:00.000Z' },
  },
  'payment.started': {
    summary: 'A charge began.',
    data: Payment,
    example: { status: 'Processing', declineCode: null },
  },
  'payment.captured': {
    summary: 'A charge succeeded, or credit paid all of the invoice.',
    data: Payment,
    example: { status: 'Succeeded', declineCode: null },
  },
  'payment.failed': {
    summary: 'A charge failed; what it took of the credit is back.',
    data: Payment,
    example: DECLINED,
  },
  'payment.needs_review': {
    summary:
      'The gateway and the books disagree about a charge, or nothing was found out about it: a person has to look.',
    data: Payment,
    example: { status: 'NeedsReview', declineCode: null },
  },
  'refund.created': {
    summary: 'A refund began, here or at the gateway.',
    data: Refund,
    example: { status: 'Processing' },
  },
  'refund.succeeded': { summary: 'A refund was made.', data: Refund, example: { status: 'Succeeded' } },
  'refund.failed': { summary: 'A refund failed.', data: Refund, example: { status: 'Failed' } },
  'refund.needs_review': {
    summary: 'It was not found out what became of a refund: a person has to look.',
    data: Refund,
    example: { status: 'NeedsReview' },
  },
  'dispute.created': {
    summary: 'A cardholder disputes a payment: answer at the gateway.',
    data: Dispute,
    example: { status: 'NeedsResponse' },
  },
  'dispute.updated': {
    summary: 'A dispute went on, or its money moved.',
    data: Dispute,
    example: { status: 'UnderReview' },
  },
  'dispute.closed': {
    summary: 'A dispute was won, lost or closed otherwise.',
    data: Dispute,
    example: { status: 'Won', withdrawnAmount: '0.00' },
  },
  'credit_note.created': { summary: 'A credit note was issued.', data: CreditNote },
  'item.created': { summary: 'A one-off item was added, for the next invoice to take.', data: Item },
  'label.created': { summary: 'A label was created.', data: Label },
  'label.updated': { summary: 'A label was changed.', data: Label },
  'label.deleted': { summary: 'A label was deleted; `data` is as it was.', data: Label },
  'user.created': {
    summary: 'Somebody signed up. `companyId` is null for a customer, whom the operator alone is told of.',
    data: UserProfile,
  },
  'usage.threshold_reached': {
    summary: 'The usage of a billing period has reached a threshold: once for each threshold and period.',
    data: UsageThresholdReached,
  },
  'alert.created': {
    summary:
      'A person has to look at something. The operator alone is told, and `companyId` is null; `data` names the company.',
    data: Alert,
  },
  'webhook.ping': { summary: 'A test that was asked for; only the tested endpoint is told.', data: Ping },
};
