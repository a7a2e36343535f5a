import { selectPeriodsSince } from '../../src/billing/periods/periods.operator.queries.ts';
import { attributeDue } from '../../src/metering/usage/unattributed/attribution.ts';
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { usageEvent } from './usage.ts';

/** A valid usage event of an external id. */
export function namedEvent(externalId: string, changes: object = {}) {
  return usageEvent(`external:${externalId}`, changes);
}

/** The external ids of which usage waits for a company. */
export async function listUnattributed(service: TestService, query = 'perPage=1000') {
  const path = `/operator/usage/unattributed?${query}`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
}

/** Does what the worker does: moves all usage that is due to be moved to its companies. */
export async function attributeNow({ database, server }: TestService): Promise<void> {
  await attributeDue({ db: database.db, findPeriodsSince: selectPeriodsSince }, server.log);
}
