/** What the tests of gateway events share: events of the stand-in for Stripe, delivered as Stripe would. */

import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import type { StripeEvent } from '../stand-ins/stripe/stripe-server.objects.ts';
import { type Payable, paymentOf } from './charge.ts';
import type { StripeChargeService } from './stripe-charge.ts';

export const STRIPE_WEBHOOK_PATH = '/gateways/stripe/webhooks';

/** Sends an event to the webhook, signed as Stripe signs. */
export async function deliver(
  service: StripeChargeService,
  event: object,
  signing: { secret?: string; timestamp?: number } = {},
): Promise<Answer> {
  const rawBody = JSON.stringify(event, null, 2);
  const headers = service.stripe().sign(rawBody, signing);
  return service.call('POST', STRIPE_WEBHOOK_PATH, { rawBody, headers });
}

/** Returns the gateway's id of the only payment of an invoice. */
export async function objectOf(service: TestService, payable: Pick<Payable, 'invoice'>): Promise<string> {
  return (await paymentOf(service, payable)).gatewayPaymentId ?? '';
}

/** Lists the events of these types about a payment, the oldest first. */
export async function eventsOf(
  service: StripeChargeService,
  payable: Pick<Payable, 'invoice'>,
  type: RegExp,
): Promise<StripeEvent[]> {
  const events = service.stripe().eventsOf(await objectOf(service, payable));
  return events.filter((event) => type.test(event.type));
}

/** Returns the first event of a type about a payment; fails when there is none. */
export async function eventOf(
  service: StripeChargeService,
  payable: Pick<Payable, 'invoice'>,
  type: string,
): Promise<StripeEvent> {
  const event = (await eventsOf(service, payable, /./)).find((one) => one.type === type);
  if (event === undefined) throw new Error(`no ${type}`);
  return event;
}

/** Returns the result of an event: null while it is not processed, undefined when it never arrived. */
export async function outcomeOf({ database }: TestService, { id }: { id: string }): Promise<string | null | undefined> {
  const rows = await database.owner<{ outcome: string | null }[]>`
    SELECT outcome FROM gateway_notices WHERE gateway = 'stripe' AND id = ${id}`;
  return rows[0]?.outcome;
}

/** Lists the alerts of a company, the oldest first. */
export function alertsOf(
  { database }: TestService,
  { admin }: Pick<Payable, 'admin'>,
): PromiseLike<{ kind: string; message: string }[]> {
  return database.owner<{ kind: string; message: string }[]>`
    SELECT kind, message FROM alerts WHERE company_id = ${admin.companyId} ORDER BY id`;
}
