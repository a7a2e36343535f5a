import type { RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';

const SETTINGS = { recipients: ['accounts@example.com'], language: 'de', disabled: ['receipt'] };

const CHANGED = { recipients: ['grace@example.com', 'ada@example.com'], language: 'fr', disabled: ['statement'] };

export const CASES: RouteCases = {
  'GET /payments/mail-settings': { access: 'platform.billing.view' },
  'PUT /payments/mail-settings': { access: 'platform.billing.all', body: () => SETTINGS, update: () => CHANGED },
  'GET /operator/companies/:company_id/mail-settings': { access: 'operator', names: COMPANY },
  'PUT /operator/companies/:company_id/mail-settings': {
    access: 'operator',
    names: COMPANY,
    body: () => SETTINGS,
    update: () => ({ recipients: ['cfo@example.com'], language: 'es', disabled: ['card_expires'] }),
  },
};
