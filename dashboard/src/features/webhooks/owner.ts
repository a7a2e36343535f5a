import { useMay } from '../../api/may.ts';
import { paydesk, useSession } from '../../api/session.ts';

/** Whose endpoints a page shows: those of the company, or of the operator, which get the events of all companies. */
export type Owner = 'company' | 'operator';

/** The operations on the endpoints of an owner. */
export function endpointsOf(owner: Owner) {
  return owner === 'company' ? paydesk().webhookEndpoints : paydesk().operator.webhookEndpoints;
}

/** Returns whether the session may change endpoints, and send to them. */
export function useMayChange(owner: Owner): boolean {
  const may = useMay();
  const role = useSession()?.operatorRole;
  return owner === 'operator' ? role === 'admin' : may('platform.applications.all');
}
