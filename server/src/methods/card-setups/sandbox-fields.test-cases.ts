import type { RouteCases } from '../../../test/battery/battery.ts';
import { typedCard, typedDebit } from '../../../test/customers/card-setups.ts';

const clientSecret = 'setup_unknown_secret_unknown';

export const CASES: RouteCases = {
  'POST /gateways/sandbox/setups/confirm': {
    access: 'public',
    refusal: { status: 400, code: 'invalid_request' },
    sampleRefusal: /^404 /,
    changesNothing: 'no setup has the client secret',
    // Both of which a setup takes one, so that the rules of each field are tested.
    body: () => ({ clientSecret, card: typedCard(), sepaDebit: typedDebit(), mandateAccepted: true }),
  },
  'POST /gateways/sandbox/challenges': {
    access: 'public',
    refusal: { status: 404, code: 'not_found' },
    sampleRefusal: /^404 /,
    changesNothing: 'no setup has the client secret',
    body: () => ({ clientSecret, outcome: 'succeed' }),
  },
};
