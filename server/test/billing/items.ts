import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';

/** A valid body for an item of 25.00. */
export function itemBody(changes: object = {}) {
  return { title: 'Onboarding', amount: '25.00', ...changes };
}

/** Requests an item as the operator. */
export function postItem(service: TestService, companyId: string, body: object, headers = {}): Promise<Answer> {
  const path = `/operator/companies/${companyId}/items`;
  return service.call('POST', path, { token: service.operatorKey, body, headers });
}

/** Adds an item as the operator. @returns the item */
export async function addItem(service: TestService, companyId: string, changes: object = {}) {
  return expectStatus(await postItem(service, companyId, itemBody(changes)), 201).body;
}

/** Returns a page of the company's items. */
export async function listItems(service: TestService, companyId: string, query = '') {
  const path = `/operator/companies/${companyId}/items${query}`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
}

/** Requests the removal of an item as the operator. */
export function deleteItem(service: TestService, companyId: string, itemId: string): Promise<Answer> {
  return service.call('DELETE', `/operator/companies/${companyId}/items/${itemId}`, { token: service.operatorKey });
}
