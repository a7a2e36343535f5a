import type { RouteCases } from '../../../test/battery/battery.ts';
import { GATEWAYS } from '../../gateways/gateways.ts';

export const CASES: RouteCases = Object.fromEntries(
  GATEWAYS.filter(({ webhook }) => webhook !== undefined).map(({ name }) => [
    `POST /gateways/${name}/webhooks`,
    {
      access: 'public',
      body: () => ({ id: 'event_1' }),
      isSigned: true,
      sampleRefusal: /^404 /,
      changesNothing: 'the gateway is not configured',
    },
  ]),
);
