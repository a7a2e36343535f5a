import { type ChargesHold, refuseWhileHeld } from '../continuity/hold/charges-hold.service.ts';
import type { Gateway } from './gateway/gateway.ts';

/**
 * The same gateways, which get no request that moves money, or prepares to, while this process knows that charges are held: the last check
 * before a request leaves. Such a request rejects with the ApiError `charges_held`.
 */
export function holdWithCharges(
  [first, ...others]: [Gateway, ...Gateway[]],
  hold: Pick<ChargesHold, 'current'>,
): [Gateway, ...Gateway[]] {
  return [holdOne(first, hold), ...others.map((gateway) => holdOne(gateway, hold))];
}

function holdOne(gateway: Gateway, { current }: Pick<ChargesHold, 'current'>): Gateway {
  const held =
    <Request, Answer>(call: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      refuseWhileHeld(current());
      return call(request);
    };
  const refundUnlessHeld = held(gateway.refundPayment);
  return {
    ...gateway,
    createPayment: held(gateway.createPayment),
    confirmPayment: held(gateway.confirmPayment),
    refundPayment: (request) => (request.isRecovery ? gateway.refundPayment(request) : refundUnlessHeld(request)),
  };
}
