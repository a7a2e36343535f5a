import type { MailPreviewBody, MailSummary } from '@paydesk/client';
import type { Tone } from '../../ui/badge/badge.tsx';

export type MoneyMailType = MailPreviewBody['type'];

/** The mails about money, which everybody of the operator sees. */
export const MONEY_TYPES = [
  'invoice_issued',
  'receipt',
  'payment_failed',
  'confirmation_needed',
  'card_expires',
  'statement',
] as const satisfies MoneyMailType[];

/** The mails about accounts, which may open them: they are for admins alone. */
export const ACCOUNT_TYPES = [
  'verify_email',
  'reset_password',
  'password_changed',
  'change_email',
  'email_changing',
  'email_kept',
  'passkey_added',
  'passkey_removed',
  'totp_enabled',
  'totp_disabled',
  'recovery_codes_replaced',
  'invitation',
  'charges_held',
] as const satisfies Exclude<MailSummary['type'], MoneyMailType>[];

export function isAboutMoney(type: MailSummary['type']): type is MoneyMailType {
  return MONEY_TYPES.some((one) => one === type);
}

export const TONES: Record<MailSummary['status'], Tone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  kept: 'neutral',
};
