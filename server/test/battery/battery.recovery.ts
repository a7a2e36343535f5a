import type { Actor } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

const access = 'operator' as const;

const JOURNAL = {
  table: 'journals',
  make: async ({ database }: TestService): Promise<string> => {
    const id = crypto.randomUUID();
    // Declared lost, so that it holds nobody up.
    await database.owner`INSERT INTO journals (id, host, directory, lost_at) VALUES (${id}, 'one', '/journal', now())`;
    return id;
  },
};

/** The battery's cases for a database that went back. */
export const RECOVERY_CASES = {
  'GET /operator/recovery': { access },
  'GET /operator/recovery/cases': { access },
  'POST /operator/recovery/passes': { access },
  'POST /operator/recovery/adopt': {
    access,
    body: ({ admin }: { admin: Actor }) => ({
      companies: [{ companyId: crypto.randomUUID(), newCompanyId: admin.companyId }],
      writers: [crypto.randomUUID()],
      otherAccounts: ['sandbox'],
      limit: 1,
    }),
  },
  'POST /operator/recovery/journals/:journal_id/entries': {
    access,
    body: () => ({ lines: ['{"check":"2026-10-01T00:00:00.000Z"}'], isLast: true }),
    names: JOURNAL,
  },
  'POST /operator/recovery/journals/:journal_id/lost': { access, names: JOURNAL },
  'POST /operator/recovery/journals/:journal_id/retire': { access, names: JOURNAL },
};
