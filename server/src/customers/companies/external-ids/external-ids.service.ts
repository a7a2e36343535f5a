import type { Db } from '../../../platform/database/database.ts';
import type { ExternalIds } from '../../../platform/http/company-ids/external-ids.ts';
import { selectCompaniesByExternalIds, selectExternalIds } from './external-ids.operator.queries.ts';

export { selectCompaniesByExternalIds };

/** How long a company is known by its external id without asking the database again. Other processes see a change this much later. */
const RECHECK_AFTER_MS = 1_000;
const MAX_KNOWN = 20_000;

type Entry = { companyId: string; checkedAtMs: number };

/** Finds companies by their external ids. An external id that nobody has is asked for each time, because a company may get it. */
export function rememberExternalIds(db: Db): ExternalIds {
  const known = new Map<string, Entry>();
  /** Grows with each change, so that what was read before it is not remembered. */
  let changes = 0;

  const ask = async (externalIds: readonly string[], found: Map<string, string>): Promise<void> => {
    const [before, checkedAtMs] = [changes, performance.now()];
    const companies = await selectCompaniesByExternalIds(db, externalIds);
    if (known.size + companies.length > MAX_KNOWN) known.clear();
    for (const { companyId, externalId } of companies) {
      found.set(externalId, companyId);
      if (changes === before) known.set(externalId, { companyId, checkedAtMs });
    }
  };

  return {
    find: async (externalIds) => {
      const found = new Map<string, string>();
      const unknown = new Set<string>();
      const oldest = performance.now() - RECHECK_AFTER_MS;
      for (const externalId of externalIds) {
        const entry = known.get(externalId);
        if (entry !== undefined && entry.checkedAtMs > oldest) found.set(externalId, entry.companyId);
        else unknown.add(externalId);
      }
      if (unknown.size > 0) await ask([...unknown], found);
      return found;
    },
    of: async (companyIds) => {
      const companies = await selectExternalIds(db, companyIds);
      return new Map(companies.map(({ companyId, externalId }) => [companyId, externalId]));
    },
    forget: (companyId) => {
      changes += 1;
      for (const [externalId, entry] of known) if (entry.companyId === companyId) known.delete(externalId);
    },
  };
}
