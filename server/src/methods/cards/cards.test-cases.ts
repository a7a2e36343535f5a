import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { cardBody, saveCard } from '../../../test/customers/actors.ts';

const CARD: Named = { table: 'cards', make: saveCard };

export const CASES: RouteCases = {
  'POST /payments/cards': {
    access: 'platform.billing.all',
    sampleRefusal: /^400 addressId /,
    body: ({ addressId }) => cardBody(addressId),
    limit: { table: 'cards', most: 1_000, own: { gateway_token: 'gen_random_uuid()' } },
  },
  'GET /payments/cards': { access: 'platform.billing.view' },
  'PUT /payments/cards/:card_id': {
    access: 'platform.billing.all',
    body: () => ({ isDefault: true, info: { expMonth: 11, expYear: 2090 } }),
    names: CARD,
  },
  'DELETE /payments/cards/:card_id': { access: 'platform.billing.all', names: CARD },
};
