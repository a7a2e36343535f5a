import type { TestService } from '../harness/service.ts';
import { expectStatus } from './actors.ts';

/** Disables or enables a company as the operator. @returns the company */
export async function setDisabled(
  { call, operatorKey }: Pick<TestService, 'call' | 'operatorKey'>,
  companyId: string,
  disabled: boolean,
) {
  const answer = await call('PUT', `/operator/companies/${companyId}`, { token: operatorKey, body: { disabled } });
  return expectStatus(answer, 200).body;
}
