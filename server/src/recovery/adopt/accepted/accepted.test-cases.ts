import type { RouteCases } from '../../../../test/battery/battery.ts';

export const CASES: RouteCases = {
  'POST /operator/recovery/acceptances': {
    access: 'operator',
    sampleRefusal: /^404 .*payment/,
    body: () => ({ gateway: 'sandbox', gatewayPaymentId: 'sbx_1' }),
    changesNothing: 'the payment was not found after a restore',
  },
};
