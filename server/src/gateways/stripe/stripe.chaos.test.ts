import { STRIPE } from '../../../test/chaos/gateways/stripe.ts';
import { describeSlice } from '../../../test/chaos/slice.ts';

describeSlice(STRIPE, [
  'kill -9 of the gateway, during / G2',
  'keys forgotten / G2',
  'kill -9 of the API, before / refund T2',
]);
