import { GatewayError } from '../../gateway/gateway.ts';

/** Ends the token of an account that direct debits are collected from. */
export const DEBIT_TOKEN = '/sepa_debit';

/** Whether the token is of an account that direct debits are collected from. */
export function isDebitToken(sourceToken: string): boolean {
  return sourceToken.endsWith(DEBIT_TOKEN);
}

/** Splits a token into its two ids. Without the customer, Stripe would charge a payment method only once. */
export function readSourceToken(sourceToken: string): { customer: string; payment_method: string } {
  const [, customer, method] = /^(cus_\w{1,100})\/(\w{1,100})(?:\/sepa_debit)?$/.exec(sourceToken) ?? [];
  if (customer === undefined || method === undefined)
    throw new GatewayError('rejected', 'The card token is not of Stripe.');
  return { customer, payment_method: method };
}

/** Throws a `GatewayError` for an id that can't be a payment's. Stripe's package would throw an error of its own for some of them. */
export function refuseOtherIds(gatewayPaymentId: string): void {
  if (!/^[\w-]{1,255}$/.test(gatewayPaymentId)) throw new GatewayError('rejected', 'Stripe has no ids of this form.');
}
