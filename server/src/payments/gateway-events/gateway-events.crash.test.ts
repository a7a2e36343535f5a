/**
 * kill -9 while a gateway event is processed: Stripe sends it again, and each refund and each movement of a dispute is in the books once.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi } from '../../../test/chaos/processes.ts';
import { expectSoundBooks } from '../../../test/payments/charge.ts';
import { deliver, eventsOf, objectOf, outcomeOf, STRIPE_WEBHOOK_PATH } from '../../../test/payments/gateway-events.ts';
import { postingsOf, preparePaid, refundsOf } from '../../../test/payments/refunds.ts';
import {
  type StripeChargeService,
  startStripeChargeService,
  stripeEnvironment,
} from '../../../test/payments/stripe-charge.ts';
import { createRefund } from '../../../test/stand-ins/stripe/stripe-server.books.ts';
import { openDispute } from '../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import { GATEWAY_EVENT_FAILPOINTS } from '../../platform/failpoints.ts';

/** Before its effect, a gateway event is a row, whatever it is of. */
const KILLS = [
  ['after_gateway_event', 'refund'],
  ['after_gateway_event_effect', 'refund'],
  ['after_gateway_event_effect', 'dispute'],
] as const;

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterAll(() => service?.stop());

it('every named failpoint of gateway events is here', () => {
  expect(new Set(KILLS.map(([failpoint]) => failpoint))).toEqual(new Set(GATEWAY_EVENT_FAILPOINTS));
});

it.each(KILLS)('%s, of a %s', async (failpoint, kind) => {
  const paid = await preparePaid(service);
  const { books } = service.stripe();
  const id = await objectOf(service, paid);
  if (kind === 'refund') createRefund(books, { payment_intent: id, amount: '1000' }, null);
  else openDispute(books, id);
  const events = await eventsOf(service, paid, /refund|dispute/);
  const [event] = events;
  if (event === undefined) throw new Error('nothing was told');

  const api = await startApi({ environment: stripeEnvironment(service), failpoint });
  const body = JSON.stringify(event);
  const answer = await fetch(`${api.url}${STRIPE_WEBHOOK_PATH}`, {
    method: 'POST',
    body,
    headers: service.stripe().sign(body),
  }).catch(() => null);
  expect(answer).toBeNull();
  await api.ended;
  expect(await outcomeOf(service, event)).toBeNull();

  for (const repeat of [...events, ...events]) expect((await deliver(service, repeat)).status).toBe(200);
  expect(await outcomeOf(service, event)).toBe(failpoint === 'after_gateway_event' ? 'settled' : 'no_change');
  expect(await refundsOf(service, paid)).toHaveLength(kind === 'refund' ? 1 : 0);
  // The other process may have read Stripe's fees meanwhile.
  const postings = await postingsOf(service, paid.admin.companyId);
  const moved = postings.filter((posting) => /^(?!gateway_fee).* cash:stripe -/.test(posting));
  expect(moved).toEqual([
    kind === 'refund' ? 'refund_sent cash:stripe -10.00' : 'dispute_withdrawn cash:stripe -48.00',
  ]);
  await expectSoundBooks(service);
});
