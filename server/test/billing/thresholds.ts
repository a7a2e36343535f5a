import { checkThresholds } from '../../src/billing/thresholds/thresholds.worker.ts';
import { rollUpUsage } from '../../src/metering/usage/rollup/rollup.ts';
import { type Actor, expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import type { TimedService } from './schedule.ts';

/** Adds a threshold as the company. @returns the threshold */
export async function addThreshold(service: TestService, { token }: Actor, body: object) {
  return expectStatus(await service.call('POST', '/payments/usage-thresholds', { token, body }), 201).body;
}

/** Returns the company's thresholds, as the company sees them. */
export async function thresholdsOf(service: TimedService, { token }: Actor) {
  return expectStatus(await service.call('GET', '/payments/usage-thresholds', { token }), 200).body.data;
}

/** Runs the thresholds' worker once, at the service's time. */
export async function checkOnce(service: TimedService): Promise<void> {
  await checkThresholds({ db: service.database.db, clock: () => service.now }, service.server.log);
}

/** Rolls usage up, then runs the thresholds' worker. */
export async function rollUpAndCheck(service: TimedService): Promise<void> {
  await rollUpUsage(service.database.db);
  await checkOnce(service);
}

export type Reached = {
  threshold: { id: string; path: string; quantity: string };
  period: string;
  startAt: string;
  endAt: string;
  quantity: string;
};

/** Returns the events about the company's thresholds, the oldest first. */
export async function reachedOf(service: TimedService, { companyId }: Actor): Promise<Reached[]> {
  const path = `/operator/events?type=usage.threshold_reached&perPage=1000&companyId=${companyId}`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.map((event: { data: Reached }) => event.data).toReversed();
}
