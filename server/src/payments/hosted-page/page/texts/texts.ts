import type { MailLanguage } from '../../../../platform/feature/mail-declaration.ts';
import { german } from './texts.de.ts';
import { english } from './texts.en.ts';
import { spanish } from './texts.es.ts';
import { french } from './texts.fr.ts';
import type { DeclineReason, NextStep, PageTexts } from './words.ts';

/** The words by language. */
export const TEXTS: Record<MailLanguage, PageTexts> = { en: english, de: german, fr: french, es: spanish };

/** By the decline codes, whose names are Stripe's (https://docs.stripe.com/declines/codes). */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'funds',
  withdrawal_count_limit_exceeded: 'limit',
  card_velocity_exceeded: 'limit',
  transaction_limit_exceeded: 'limit',
  expired_card: 'expired',
  invalid_expiry_month: 'expired',
  invalid_expiry_year: 'expired',
  lost_card: 'lost',
  stolen_card: 'lost',
  pickup_card: 'notAllowed',
  do_not_try_again: 'notAllowed',
  transaction_not_allowed: 'notAllowed',
  not_permitted: 'notAllowed',
  restricted_card: 'notAllowed',
  card_not_supported: 'notAllowed',
  currency_not_supported: 'notAllowed',
  processing_error: 'processing',
  issuer_not_available: 'processing',
  try_again_later: 'processing',
  reenter_transaction: 'processing',
  incorrect_number: 'details',
  invalid_number: 'details',
  incorrect_cvc: 'details',
  invalid_cvc: 'details',
  incorrect_zip: 'details',
  authentication_required: 'confirm',
  authentication_failed: 'confirm',
  authentication_expired: 'confirm',
};

/** What people are told of a decline. A code without words of its own is a refusal without a reason, as banks give most often. */
export function reasonOf(declineCode: string | null): { reason: DeclineReason; next: NextStep } {
  const reason = REASONS[declineCode ?? ''] ?? 'refused';
  return { reason, next: reason === 'processing' || reason === 'confirm' ? 'later' : 'otherCard' };
}
