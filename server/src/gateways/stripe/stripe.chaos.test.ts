import { describeSlice } from '../../../test/chaos.slice.ts';
import { STRIPE } from '../../../test/chaos.stripe.ts';

describeSlice(STRIPE, [
  'kill -9 of the gateway, during / G2',
  'keys forgotten / G2',
  'kill -9 of the API, before / refund T2',
]);
