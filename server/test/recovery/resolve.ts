/** What a person decides about cases that a recovery has left to them. */
import { randomUUID } from 'node:crypto';
import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { listCases } from './adopt.ts';

type Service = Pick<TestService, 'call' | 'operatorKey'>;

/** Resolves the newest case of a capture; a case of an unknown id if there is none. */
export async function resolveCapture(
  service: Service,
  gatewayPaymentId: string,
  outcome: 'accepted' | 'refunded',
): Promise<Answer> {
  const cases = await listCases(service);
  const found = cases.findLast((one) => one.kind === 'payment' && one.gatewayObjectId === gatewayPaymentId);
  return resolve(service, found?.id ?? randomUUID(), { outcome });
}

/** Releases invoices that wait, as `reconcile --adopt --release` does. Nothing waits without a case. */
export async function release(
  service: Service,
  invoices?: readonly string[],
): Promise<{ released: number; unknown: string[] }> {
  const [waiting] = (await listCases(service, undefined, '&state=person')).filter(
    ({ kind }) => kind === 'open_invoices',
  );
  if (waiting === undefined) return { released: 0, unknown: [...(invoices ?? [])] };
  const asked = invoices === undefined ? {} : { invoices };
  const { body } = expectStatus(await resolve(service, waiting.id, { outcome: 'released', ...asked }), 200);
  return { released: body.released, unknown: body.unknown };
}

/** Sends what a person has decided about a case. */
export function resolve({ call, operatorKey }: Service, caseId: string, body: object): Promise<Answer> {
  return call('POST', `/operator/recovery/cases/${caseId}/resolve`, { token: operatorKey, body });
}
