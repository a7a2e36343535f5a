/** Reads orders. */
import { GatewayError } from '../gateway/gateway.ts';
import * as answers from './answers/answers.ts';
import { type AskPayPal, PayPalRefusal } from './answers/connection.ts';

/** Returns the order; null if PayPal knows none. @throws GatewayError */
export async function findOrder(ask: AskPayPal, id: string): Promise<answers.Order | null> {
  refuseOtherIds(id);
  try {
    return answers.readOrder(await ask(({ orders }) => orders.getOrder({ id })), id);
  } catch (error) {
    if (error instanceof PayPalRefusal && error.status === 404 && error.word === 'RESOURCE_NOT_FOUND') return null;
    throw error;
  }
}

/** Returns the order. @throws GatewayError `rejected` if PayPal knows none */
export async function requireOrder(ask: AskPayPal, id: string): Promise<answers.Order> {
  const order = await findOrder(ask, id);
  if (order === null) throw new GatewayError('rejected', 'PayPal does not have this order.');
  return order;
}

/** Throws for an id that could change the path of the request. @throws GatewayError `rejected` */
export function refuseOtherIds(id: string): void {
  if (!/^[\w-]{1,64}$/.test(id)) throw new GatewayError('rejected', 'PayPal has no ids of this form.');
}
