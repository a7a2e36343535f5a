import { PAYPAL } from '../../../test/chaos/gateways/paypal.ts';
import { SANDBOX } from '../../../test/chaos/gateways/sandbox.ts';
import { STRIPE } from '../../../test/chaos/gateways/stripe.ts';
import { describeRestores } from '../../../test/chaos/restore/slice.ts';

describeRestores(SANDBOX, 2, [
  'restore under stopped processes, keys forgotten: a charge / back to issued',
  'restore under running processes, keys kept: in flight / back to issued',
]);
describeRestores(STRIPE, 1, [
  'restore under running processes, keys kept: another card / back to T2',
  'restore under running processes, keys forgotten: a refund / back to T3',
]);
describeRestores(PAYPAL, 1, [
  'restore under running processes, keys forgotten: a charge / back to T1',
  'restore under running processes, keys kept: a refund / back to T3',
]);
