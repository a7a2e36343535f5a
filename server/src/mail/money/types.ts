/** The mails about money that a company may get, or do without. Each is sent by the feature that declares it. */
export const MONEY_MAIL_TYPES = [
  'invoice_issued',
  'receipt',
  'payment_failed',
  'confirmation_needed',
  'card_expires',
  'statement',
] as const;
export type MoneyMailType = (typeof MONEY_MAIL_TYPES)[number];
