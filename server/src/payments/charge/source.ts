import { CARDS } from '../../methods/cards/cards.service.ts';
import type { OneOffCard } from '../../methods/one-off/one-off.service.ts';
import { PAYPAL_ACCOUNTS } from '../../methods/paypal-accounts/paypal-accounts.service.ts';
import { findToCharge } from '../../methods/saved/saved.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { NewPayment } from '../payment/payment.queries.ts';

/** What is charged, and where. */
export type Source = Pick<NewPayment, 'cardId' | 'paypalAccountId' | 'gateway' | 'gatewayToken'>;

/** The source that a card is which pays one invoice: the payment names no saved card. */
export function sourceOfOneOff({ gateway, gatewayToken }: OneOffCard): Source {
  return { cardId: null, paypalAccountId: null, gateway, gatewayToken };
}

/** Finds the card, mandate or account for the invoice's method and currency, with its current gateway and token; null for none. */
export async function findSource(
  tx: Tx,
  companyId: string,
  { method, currency }: { method: string; currency: string },
): Promise<Source | null> {
  const found = await findToCharge(tx, companyId, { table: kindOf(method).table, currency });
  if (found === null) return null;
  const { id, gateway, gatewayToken } = found;
  const ids = method === 'paypal' ? { cardId: null, paypalAccountId: id } : { cardId: id, paypalAccountId: null };
  return { ...ids, gateway, gatewayToken };
}

/** The error for an invoice whose company has saved nothing to charge by its method. */
export function missingSource(method: string): ApiError {
  const message = `There is no ${kindOf(method).name} to charge: save one, or make one the default.`;
  return new ApiError('payment_method_required', message);
}

function kindOf(method: string) {
  return method === 'paypal' ? PAYPAL_ACCOUNTS : CARDS;
}
