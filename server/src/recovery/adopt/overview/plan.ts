import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import type { CaseRow } from './overview.operator.queries.ts';

type Planned = Pick<CaseRow, 'source' | 'kind' | 'companyId' | 'isCompanyHere' | 'status'>;

/** What an entry of each kind gets. */
const PLANS: Record<string, string> = {
  invoice: 'It is written again as it was issued, with its number.',
  void: 'The invoice is voided again, as of then, if nothing of it is paid or credited.',
  credit_note: 'It is written again with its number, if as much of the invoice is left.',
  credit_entry: "The company's credit is changed again, if it does not go below zero.",
  payment: 'The invoice is paid with credit again, if the same amount is due and the credit is there.',
  refund: 'The credit is returned again, if as much is left of the payment.',
};

/** Says what will be done about an open case, for people. */
export function describePlan({ source, kind, companyId, isCompanyHere, status }: Planned): string {
  if (
    source === 'gateway' &&
    (isCompanyHere || companyId === OPERATOR_SCOPE || kind === 'refund' || status !== 'captured')
  )
    return describeObjectPlan(kind, status);
  if (!isCompanyHere)
    return `Company ${companyId} is not in the database: name another one with --company, or it is left to a person.`;
  return PLANS[kind] ?? 'It is left to a person.';
}

function describeObjectPlan(kind: string, status: string | null): string {
  if (kind === 'refund') return 'The refund is booked with its credit note, if it failed there it is only noted.';
  if (status === 'captured')
    return 'The capture is booked, and pays its invoice if that is what is due; if not, a person decides.';
  if (status === 'created' || status === 'undecided')
    return 'It is canceled at the gateway; if it was captured meanwhile, that is booked.';
  return 'It is noted: nothing was charged with it.';
}
