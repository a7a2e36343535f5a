import type { Named, RouteCases } from '../../test/battery/battery.ts';
import { PAYMENT } from '../../test/battery/cases/named.ts';
import { ANY_ID, PAGES } from '../../test/battery/cases/query-values.ts';
import { raiseAlert } from '../../test/outbox/alerts.ts';

const ALERT: Named = {
  table: 'alerts',
  make: async (service, actor) =>
    raiseAlert(service, { companyId: actor.companyId, paymentId: await PAYMENT.make(service, actor) }),
};

export const CASES: RouteCases = {
  'GET /operator/alerts': {
    access: 'operator',
    parameters: {
      ...PAGES,
      state: { takes: ['open', 'acknowledged'], refuses: ['', 'x', 'Open', 'open,acknowledged'] },
      kind: { takes: ['payment_unresolved', 'x', '%', "'"], refuses: ['', ' ', 'a'.repeat(256)] },
      companyId: ANY_ID,
    },
  },
  'POST /operator/alerts/:alert_id/acknowledge': { access: 'operator', names: ALERT },
};
