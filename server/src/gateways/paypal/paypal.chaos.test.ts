import { PAYPAL } from '../../../test/chaos/gateways/paypal.ts';
import { describeSlice } from '../../../test/chaos/slice.ts';

describeSlice(PAYPAL, [
  'kill -9 of the API, before / G3',
  'keys forgotten / G2',
  'answer_lost_after_effect / refund check',
  'server_error_before_effect / refund order',
]);
