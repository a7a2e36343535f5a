import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { saveSetup } from '../../../test/customers/card-setups.ts';

const SETUP: Named = { table: 'card_setups', make: saveSetup };

export const CASES: RouteCases = {
  'POST /payments/card-setups': { access: 'platform.billing.all', body: () => ({ method: 'Card' }) },
  'GET /payments/card-setups/:setup_id': { access: 'platform.billing.view', names: SETUP },
};
