import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

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
  'POST /operator/recovery/journals/:journal_id/retire': { access: 'operator', names: JOURNAL },
};
