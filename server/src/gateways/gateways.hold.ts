import type { Gateway } from './gateway/gateway.ts';

/**
 * The same gateways, which get no request that moves money, or prepares to, while this process knows that charges are held: the last check
 * before a request leaves. Such a request rejects with the ApiError `charges_held`.
 * @param refuse - throws it while charges are held
 */
export function holdWithCharges(
  [first, ...others]: [Gateway, ...Gateway[]],
  refuse: () => void,
): [Gateway, ...Gateway[]] {
  return [holdOne(first, refuse), ...others.map((gateway) => holdOne(gateway, refuse))];
}

function holdOne(gateway: Gateway, refuse: () => void): Gateway {
  const held =
    <Request, Answer>(call: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      refuse();
      return call(request);
    };
  const refundUnlessHeld = held(gateway.refundPayment);
  return {
    ...gateway,
    createPayment: held(gateway.createPayment),
    confirmPayment: held(gateway.confirmPayment),
    ...(gateway.askCustomer === undefined ? {} : { askCustomer: held(gateway.askCustomer) }),
    refundPayment: (request) => (request.isRecovery ? gateway.refundPayment(request) : refundUnlessHeld(request)),
  };
}
