/** Stripe in the fault matrix. Its stand-in is a separate process with a journal. */
import { join } from 'node:path';
import { CARDS } from '../../customers/actors.ts';
import { STRIPE_WEBHOOK_PATH } from '../../payments/gateway-events.ts';
import { STRIPE_DECLINED_CARD } from '../../payments/stripe-charge.ts';
import { type StandIn, spawnStandIn } from '../../stand-ins/stand-in.ts';
import type { StripeEvent } from '../../stand-ins/stripe/stripe-server.objects.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, sign } from '../../stand-ins/stripe/stripe-server.ts';
import { addCard } from './sandbox.ts';
import { type ChaosGateway, type CreateForCompany, DEBITED, isDebit } from './stand-ins.ts';

const NUMBERS = {
  pays: CARDS.visa,
  refuses: STRIPE_DECLINED_CARD,
  asks: CARDS.asksAlways,
  'asks and refuses': CARDS.asksOnSession,
};

export const STRIPE: ChaosGateway = {
  name: 'stripe',
  spawn: (folder, port) =>
    spawnStandIn(join(import.meta.dirname, '../../stand-ins/stripe/stripe-server.main.ts'), folder, port),
  environmentOf: ({ url }) => ({
    GATEWAY: 'stripe',
    STRIPE_API_BASE: url,
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
  }),
  addSource: (create, answer, standIn) =>
    isDebit(answer) ? addMandate(create, DEBITED[answer], standIn) : addCard(create, NUMBERS[answer]),
  answerBank: async (standIn, clientSecret, outcome) =>
    (await outside(standIn, 'answers', { client_secret: clientSecret, outcome })).ok,
  async eventsOf(standIn, object) {
    const events = (await (await outside(standIn, `events/${object}`)).json()) as StripeEvent[];
    return events.map((body) => ({ path: STRIPE_WEBHOOK_PATH, headers: sign(JSON.stringify(body)), body }));
  },
  invoiceChanges: {},
  declineCode: 'generic_decline',
  refundCheck: 'list',
  refundOrder: 'find',
};

/** Asks the stand-in for what happens at Stripe without a request of ours. */
function outside({ url }: StandIn, path: string, form?: Record<string, string>): Promise<Response> {
  const posted = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  return fetch(`${url}/test/${path}`, { headers: { authorization: `Bearer ${STRIPE_SECRET_KEY}` }, ...posted });
}

async function addMandate(create: CreateForCompany, iban: string, standIn: StandIn): Promise<void> {
  const { id: paymentMethod } = (await (await outside(standIn, 'debits', { iban })).json()) as { id: string };
  const { id: addressId } = await create('addresses', { city: 'London' });
  await create('cards', { addressId, isDefault: true, paymentMethod });
}
