import type { MailLanguage } from '../../../platform/feature/mail-declaration.ts';
import type { Notice } from './notice.ts';
import type { InvoiceOnPage } from './page.queries.ts';
import type { PageState, Waiting } from './page.state.ts';

/** How a card that is not saved can be typed: into the sandbox's fields, into Stripe's, or not at all. */
export type CardFieldsOf = { kind: 'sandbox' } | { kind: 'stripe'; publishableKey: string } | { kind: 'none' };

/** Where a payment is confirmed: on this page, which stands for the sandbox's bank, at the bank's address, or at one to be asked for. */
export type Confirmation = { kind: 'sandbox' } | { kind: 'bank'; url: string } | { kind: 'ask' } | null;

/** All that the page shows. */
export type Page = {
  language: MailLanguage;
  /** The page's own address. */
  path: string;
  invoice: InvoiceOnPage;
  state: PageState;
  waiting: Waiting | null;
  /** The saved card or account that is charged; null for none. */
  saved: { brand: string; lastFour: string } | 'paypal' | null;
  fields: CardFieldsOf;
  confirmation: Confirmation;
  notice: Notice | null;
};

/** Writes an amount of the invoice. */
export type Money = (amount: string) => string;
