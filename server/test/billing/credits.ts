import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';

/** A valid body for a grant of 20.00 USD. */
export function creditBody(changes: object = {}) {
  return { amount: '20.00', currency: 'USD', reason: 'Goodwill', ...changes };
}

/** Requests a grant as the operator. */
export function postCredit(
  service: TestService,
  companyId: string,
  changes: object = {},
  headers = {},
): Promise<Answer> {
  const body = creditBody(changes);
  return service.call('POST', `/operator/companies/${companyId}/credits`, {
    token: service.operatorKey,
    body,
    headers,
  });
}

/** Grants credit as the operator. @returns the entry */
export async function grantCredit(service: TestService, companyId: string, changes: object = {}) {
  return expectStatus(await postCredit(service, companyId, changes), 201).body;
}

/** Returns the company's credit entries, up to a thousand, the newest first. */
export async function readLedger(service: TestService, companyId: string) {
  const path = `/operator/companies/${companyId}/credits?perPage=1000`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
}

/** Changes the company's billing settings as the operator. */
export function putSettings(service: TestService, companyId: string, body: object): Promise<Answer> {
  return service.call('PUT', `/operator/companies/${companyId}/billing-settings`, { token: service.operatorKey, body });
}
