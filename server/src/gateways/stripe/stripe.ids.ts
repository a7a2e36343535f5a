import { GatewayError } from '../gateway/gateway.ts';

/** A token names the customer too, without whom Stripe would take a payment method only once. */
export function readSourceToken(sourceToken: string): { customer: string; payment_method: string } {
  const [, customer, method] = /^(cus_\w{1,100})\/(\w{1,100})$/.exec(sourceToken) ?? [];
  if (customer === undefined || method === undefined)
    throw new GatewayError('rejected', 'The card token is not of Stripe.');
  return { customer, payment_method: method };
}

/** Stripe's package would refuse them too, some of them before it asks, and not as a gateway does. */
export function refuseOtherIds(gatewayPaymentId: string): void {
  if (!/^[\w-]{1,255}$/.test(gatewayPaymentId)) throw new GatewayError('rejected', 'Stripe has no ids of this form.');
}
