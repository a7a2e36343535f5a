import type { RouteCases } from '../../../test/battery/battery.ts';

export const CASES: RouteCases = {
  'POST /operator/disputes': {
    access: 'operator',
    sampleRefusal: /^400 gateway /,
    body: () => ({ gateway: 'stripe', gatewayDisputeId: 'dp_1' }),
    changesNothing: 'the gateway has no such dispute',
  },
  'POST /operator/refunds': {
    access: 'operator',
    sampleRefusal: /^400 gateway /,
    body: () => ({ gateway: 'stripe', gatewayPaymentId: 'pi_1' }),
    changesNothing: 'the gateway has no such payment',
  },
};
