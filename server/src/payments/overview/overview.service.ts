import type { Queryable } from '../../platform/database/database.ts';
import { grants, type PermissionSet } from '../../platform/permissions.ts';
import { selectDue, selectSetup, sumMonths } from './overview.queries.ts';
import type { Overview } from './overview.schema.ts';

type Reader = { userId: string; permissions: PermissionSet; now: Date };

/** What the company owes and uses, and what it has not set up, as far as the reader may see it. */
export async function readOverview(
  db: Queryable,
  companyId: string,
  { userId, permissions, now }: Reader,
): Promise<Overview> {
  const seesBilling = grants(permissions, 'platform.billing.view');
  const [due, usage, setup] = await Promise.all([
    seesBilling ? selectDue(db, companyId, now) : null,
    seesBilling ? sumMonths(db, companyId, monthsOf(now)) : null,
    selectSetup(db, companyId, userId),
  ]);
  const ofBilling = { address: setup.address, card: setup.card, billingInformation: setup.billingInformation };
  return {
    due: due?.map(({ failed: _failed, ...ofCurrency }) => ofCurrency) ?? null,
    failed: due?.reduce((sum, { failed }) => sum + failed, 0) ?? null,
    usage,
    setup: {
      ...(seesBilling ? ofBilling : { address: null, card: null, billingInformation: null }),
      colleague: grants(permissions, 'platform.admins.view') ? setup.colleague : null,
    },
  };
}

/** The starts of the calendar month of an instant and of the one before, in UTC. */
function monthsOf(now: Date): { lastMonth: Date; thisMonth: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { lastMonth: new Date(Date.UTC(year, month - 1)), thisMonth: new Date(Date.UTC(year, month)) };
}
