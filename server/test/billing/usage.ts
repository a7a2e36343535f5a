import { randomUUID } from 'node:crypto';
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

/** A valid usage event of a company. */
export function usageEvent(companyId: string, changes: object = {}) {
  return {
    specversion: '1.0',
    type: 'paydesk.usage',
    source: '/gateways/test',
    id: randomUUID(),
    subject: companyId,
    time: '2026-01-15T09:30:00Z',
    data: { path: '/v1/transcriptions', quantity: 1 },
    ...changes,
  };
}

/** Reports one usage event or several as the operator. @returns the answer's body */
export async function reportUsage(service: TestService, events: unknown) {
  const kind = Array.isArray(events) ? 'cloudevents-batch' : 'cloudevents';
  const headers = { 'content-type': `application/${kind}+json` };
  const request = { token: service.operatorKey, rawBody: JSON.stringify(events), headers };
  return expectStatus(await service.call('POST', '/operator/usage', request), 200).body;
}

/** Returns what `GET /payments/usage` answers for a company's token. */
export async function readUsage(service: TestService, token: string, query: string) {
  return expectStatus(await service.call('GET', `/payments/usage?${query}`, { token }), 200).body;
}
