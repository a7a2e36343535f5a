import type { RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'GET /operator/recovery/invoices': { access: 'operator', parameters: PAGES },
  'POST /operator/recovery/cases/:case_id/resolve': {
    access: 'operator',
    // The example refunds a capture; the case that the battery makes is one of open invoices.
    sampleRefusal: /^409 .*refunded/,
    body: () => ({ outcome: 'released', invoices: ['INV-000001'] }),
    names: {
      table: 'recovery_cases',
      make: async ({ database: { owner } }) => {
        const [id, hold] = [crypto.randomUUID(), crypto.randomUUID()];
        await owner`INSERT INTO charges_holds (id, reason, ended_at) VALUES (${hold}, 'It was restored.', now())`;
        await owner`
          INSERT INTO recovery_cases (company_id, id, hold_id, source, kind, mark, subject, happened_at, state)
          VALUES ('00000000-0000-0000-0000-000000000000', ${id}, ${hold}, 'journal', 'open_invoices', ${hold}, ${hold}, now(), 'person')`;
        return id;
      },
    },
  },
};
