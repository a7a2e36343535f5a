import { type Db, planForValues, type Queryable } from '../../../platform/database/database.ts';
import { isCurrency } from '../../../platform/money/currencies.ts';
import { formatDecimal, parseDecimal } from '../../../platform/money/decimal.ts';
import { formatAmount, toMinor } from '../../../platform/money/money.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import {
  type CaseRow,
  countCases,
  selectCases,
  selectHoldOverview,
  selectJournalOverview,
} from './overview.operator.queries.ts';
import type { CaseQuery, Recovery, RecoveryCaseList } from './overview.schema.ts';
import { describePlan } from './plan.ts';

/** Reads why and until when charges are held by the database, its journals, and how many cases there are. */
export async function readRecovery(
  db: Queryable,
  { gatewayLagSeconds }: { gatewayLagSeconds: number },
): Promise<Recovery> {
  const [hold, journals, cases] = await Promise.all([
    selectHoldOverview(db),
    selectJournalOverview(db),
    countCases(db),
  ]);
  const until = (since: Date) => new Date(since.getTime() + gatewayLagSeconds * 1_000);
  return { hold: hold === null ? null : { ...hold, until: until(hold.since) }, journals, cases };
}

/** Reads a page of the cases, in the order in which they happened. */
export async function listCases(db: Db, { page, perPage, state }: CaseQuery): Promise<RecoveryCaseList> {
  const range = { limit: perPage, offset: (page - 1) * perPage };
  const { total, data } = await planForValues(db, (tx) => selectCases(tx, { state: state ?? null, ...range }));
  return { total, page, perPage, data: data.map(describe) };
}

function describe({ total, minor, status, isCompanyHere, ...row }: CaseRow): RecoveryCaseList['data'][number] {
  const { companyId, currency, state } = row;
  return {
    ...row,
    companyId: companyId === OPERATOR_SCOPE ? null : companyId,
    amount: describeAmount({ total, minor, currency }),
    plan: state === 'open' ? describePlan({ ...row, status, isCompanyHere }) : null,
  };
}

/** Null also where a document says it in a way that none has, as after a fault of the disk. */
function describeAmount({ total, minor, currency }: Pick<CaseRow, 'total' | 'minor' | 'currency'>): string | null {
  const amount = parseDecimal(total ?? minor ?? '');
  if (amount === null || (currency !== null && !isCurrency(currency))) return null;
  if (currency === null) return total === null ? null : formatDecimal(amount);
  return formatAmount(total === null ? amount.coefficient : toMinor(amount, currency), currency);
}
