import type { Named, RouteCases } from '../../test/battery/battery.ts';
import { PAGES } from '../../test/battery/cases/query-values.ts';

const JOURNAL: Named = {
  table: 'journals',
  make: async ({ database }) => {
    const id = crypto.randomUUID();
    // Declared lost, so that it holds nobody up.
    await database.owner`INSERT INTO journals (id, host, directory, lost_at) VALUES (${id}, 'one', '/journal', now())`;
    return id;
  },
};

export const CASES: RouteCases = {
  'GET /operator/recovery': { access: 'operator' },
  'GET /operator/recovery/cases': {
    access: 'operator',
    parameters: {
      ...PAGES,
      state: { takes: ['open', 'person', 'done'], refuses: ['', 'x', 'Open', 'open,done'] },
    },
  },
  'POST /operator/recovery/passes': { access: 'operator' },
  'POST /operator/recovery/adopt': {
    access: 'operator',
    sampleRefusal: /^400 companies /,
    body: ({ admin }) => ({
      companies: [{ companyId: crypto.randomUUID(), newCompanyId: admin.companyId }],
      limit: 1,
    }),
  },
  'POST /operator/recovery/journals/:journal_id/entries': {
    access: 'operator',
    sampleRefusal: /^400 installation /,
    body: () => ({ lines: ['{"check":"2026-10-01T00:00:00.000Z"}'], isLast: true }),
    names: JOURNAL,
    takesUnknownIds: 'the database may have lost the journal',
  },
  'POST /operator/recovery/journals/:journal_id/lost': { access: 'operator', names: JOURNAL },
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
