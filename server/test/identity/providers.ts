import { randomUUID } from 'node:crypto';
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

/** A valid body for a new provider, which nobody can reach. One of a company has the domain of the tests' addresses. */
export function providerBody(changes: Record<string, unknown> = {}) {
  const domains =
    changes.companyId === undefined || changes.companyId === null ? {} : { emailDomains: ['example.com'] };
  return { issuer: 'https://login.example.com', clientId: 'paydesk', clientSecret: 'a secret', ...domains, ...changes };
}

/** Sets up a provider as the operator. @returns its name */
export async function putProvider(
  service: TestService,
  changes: Record<string, unknown> = {},
  name = `p-${randomUUID()}`,
): Promise<string> {
  const request = { token: service.operatorKey, body: providerBody(changes) };
  expectStatus(await service.call('PUT', `/operator/sign-in-providers/${name}`, request), 200);
  return name;
}
