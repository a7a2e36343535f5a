import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import type { CaseRow } from './overview.operator.queries.ts';

type Planned = Pick<CaseRow, 'source' | 'kind' | 'companyId' | 'isCompanyHere' | 'status'>;

/** What an entry of each kind gets. */
const PLANS: Record<string, string> = {
  invoice: 'The invoice is written again as it was issued, with its number.',
  void: 'The invoice is voided again, with the original date, if nothing of it is paid or credited.',
  credit_note: 'The credit note is written again with its number, if the invoice still has that much to credit.',
  credit_entry: "The company's credit is changed again, if it does not go below zero.",
  payment: 'The invoice is paid with credit again, if the same amount is due and the credit is there.',
  refund: 'The credit is returned again, if the payment still has that much to refund.',
};

/** Says what will be done about an open case, for people. */
export function describePlan({ source, kind, companyId, isCompanyHere, status }: Planned): string {
  if (
    source === 'gateway' &&
    (isCompanyHere || companyId === OPERATOR_SCOPE || kind === 'refund' || status !== 'captured')
  )
    return describeObjectPlan(kind, status);
  if (!isCompanyHere)
    return `Company ${companyId} is not in the database. Name another company with --company, or the case is left to a person.`;
  return PLANS[kind] ?? 'The case is left to a person.';
}

function describeObjectPlan(kind: string, status: string | null): string {
  if (kind === 'refund')
    return 'The refund is booked with its credit note. If it failed at the gateway, the failure is only noted.';
  if (status === 'captured')
    return 'The capture is booked and pays its invoice, if the same amount is due. If not, a person decides.';
  if (status === 'created' || status === 'undecided')
    return 'The payment is canceled at the gateway. If it was captured meanwhile, the capture is booked.';
  return 'The payment is only noted: nothing was charged with it.';
}
