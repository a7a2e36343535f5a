import { processNextRun } from '../../src/billing/runs/runs.worker.ts';
import { type Actor, expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { flatPriceBody } from './prices.ts';
import { reportUsage, usageEvent } from './usage.ts';

/** Starts the billing run of a month as the operator. @returns the run */
export async function startRun(service: TestService, period: string) {
  const request = { token: service.operatorKey, body: { period } };
  return expectStatus(await service.call('POST', '/operator/billing-runs', request), 202).body;
}

/** Lets one worker process the run that is next. */
export async function work(service: TestService): Promise<void> {
  await processNextRun(service.database.db, service.server.log);
}

/** Starts the run of a month and processes it until it ends. @returns the run */
export async function runMonth(service: TestService, period: string) {
  const { id } = await startRun(service, period);
  await work(service);
  return readRun(service, id);
}

/** Reads a run as the operator. */
export async function readRun(service: TestService, id: string) {
  const path = `/operator/billing-runs/${id}`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
}

/** Sets a flat price that is in force since 2024. @returns the price */
export async function setPrice(service: TestService, changes: object) {
  const body = flatPriceBody({ effectiveFrom: '2024-01-01T00:00:00Z', ...changes });
  return expectStatus(await service.call('POST', '/operator/prices', { token: service.operatorKey, body }), 201).body;
}

/** Sets a company's billing information. */
export async function setBilling(service: TestService, { companyId }: Actor, body: object): Promise<void> {
  const path = `/operator/companies/${companyId}/billing-settings`;
  expectStatus(await service.call('PUT', path, { token: service.operatorKey, body }), 200);
}

/** Reports a quantity of usage of a path at an instant. */
export async function use(
  service: TestService,
  { companyId }: Actor,
  path: string,
  quantity: number,
  time: string,
): Promise<void> {
  await reportUsage(service, [usageEvent(companyId, { time, data: { path, quantity } })]);
}

/** Returns the company's invoices, the oldest period first. */
export async function invoicesOf(service: TestService, { token }: Actor) {
  const { data } = expectStatus(await service.call('GET', '/payments/orders?perPage=1000', { token }), 200).body;
  return data.toReversed();
}
