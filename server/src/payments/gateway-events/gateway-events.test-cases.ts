import type { RouteCases } from '../../../test/battery/battery.ts';

const unconfigured = { access: 'public', isSigned: true, changesNothing: 'the gateway is not configured' } as const;

export const CASES: RouteCases = {
  'POST /gateways/paypal/webhooks': { sampleRefusal: /^404 /, ...unconfigured, body: () => ({ id: 'WH-1' }) },
  'POST /gateways/stripe/webhooks': { sampleRefusal: /^404 /, ...unconfigured, body: () => ({ id: 'evt_1' }) },
};
