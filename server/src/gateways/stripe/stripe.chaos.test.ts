import { STRIPE } from '../../../test/chaos/gateways/stripe.ts';
import { describeSlice } from '../../../test/chaos/slice.ts';

describeSlice(STRIPE, [
  'kill -9 of the gateway, during / G2',
  'keys forgotten / G2',
  'kill -9 of the API, before / refund T2',
  'kill -9 of the reconciler, expired and confirmed late, before / confirmation cancel',
  'answer_lost_after_effect / debit G2',
  'each gateway event ten times / confirmation look',
]);
