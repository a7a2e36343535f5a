/** Real processes notice that their database went back, and are brought together by the command, whatever dies meanwhile. */
import { PAYPAL } from '../../../test/chaos/gateways/paypal.ts';
import { SANDBOX } from '../../../test/chaos/gateways/sandbox.ts';
import { STRIPE } from '../../../test/chaos/gateways/stripe.ts';
import { describeRecoveries } from '../../../test/chaos/recovery/slice.ts';
import { type Lingering, NO_WAITS } from '../../../test/chaos/recovery/waits/draw.ts';

const ALONE = { apis: 1, atBackup: null, outage: false, waits: NO_WAITS } as const;
const ASKED: Lingering = { kind: 'a customer is asked', customer: 'confirms', ends: 'while charges are held' };
const DEBIT: Lingering = { ...ASKED, kind: 'a debit that settles', ends: 'afterwards' };

describeRecoveries(SANDBOX, [
  {
    ...{ ...ALONE, seed: 1, scene: 'goes back', processes: 'stopped', journal: 'kept', underway: 'after_confirm' },
    acts: [
      'pay an invoice of before',
      'refund a part',
      'create a company by the API',
      'bill a month',
      'void a new invoice',
    ],
    ...{ death: { of: 'the command', afterCases: 3 }, product: 'puts again', usage: 'resent' },
    waits: { atBackup: ASKED, whenItGoesBack: DEBIT, acts: [] },
  },
  { ...ALONE, seed: 2, scene: 'staging copy', journal: 'kept' },
  {
    ...{ ...ALONE, seed: 5, scene: 'goes back', processes: 'stopped', journal: 'restored', underway: 'nothing' },
    acts: ['pay an invoice of before', 'void an invoice of before', 'pay a new invoice', 'issue an invoice'],
    death: { of: 'the command', afterCases: 1 },
  },
]);
describeRecoveries(STRIPE, [
  {
    ...{ ...ALONE, seed: 3, scene: 'goes back', processes: 'stopped', journal: 'lost', underway: 'nothing' },
    acts: ['pay an invoice of before', 'create a company by the API', 'bill a month', 'sign a company up'],
    ...{
      death: { of: 'the service', afterCases: 2 },
      usage: 'not resent',
      lostCompany: 'is refunded',
      product: 'waits',
    },
  },
]);
describeRecoveries(PAYPAL, [
  {
    ...{ ...ALONE, seed: 4, scene: 'two primaries', journal: 'kept', journals: 'apart' },
    acts: ['pay an invoice of before', 'refund a part'],
  },
]);
