import { paydesk } from '../../api/session.ts';

/** Whose endpoints a page shows: those of the company, or of the operator, which get the events of all companies. */
export type Owner = 'company' | 'operator';

/** The operations on the endpoints of an owner. */
export function endpointsOf(owner: Owner) {
  return owner === 'company' ? paydesk().webhookEndpoints : paydesk().operator.webhookEndpoints;
}
