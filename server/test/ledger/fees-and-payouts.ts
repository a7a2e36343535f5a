/** What the tests of fees and payouts at Stripe share. */
import { type BalancedGateway, lookAt, toBalanced } from '../../src/ledger/fees-and-payouts/looks.ts';
import { objectOf } from '../payments/gateway-events.ts';
import type { Paid } from '../payments/refunds.ts';
import type { StripeChargeService } from '../payments/stripe-charge.ts';
import type { BalanceTransaction } from '../stand-ins/stripe/stripe-server.objects.ts';

/** Looks at Stripe's balance as if the time for it had come, until all of it is read. */
export async function lookNow({
  database,
  gateways,
}: Pick<StripeChargeService, 'database' | 'gateways'>): Promise<void> {
  // The first one finds out when to begin.
  await lookAt({ db: database.db, gateways }, 'stripe');
  await database.owner`UPDATE gateway_looks SET look_at = now() - interval '1 second'`;
  while (await lookAt({ db: database.db, gateways }, 'stripe'));
}

/** The gateway, whose balance these functions change. */
export function withBalance(service: StripeChargeService, changes: Partial<BalancedGateway>) {
  const gateway = toBalanced(service.gateway);
  if (gateway === null) throw new Error('Stripe shows no balance');
  const changed = { ...service.gateway, ...changes };
  return { ...service.gateways, configured: [changed] as const };
}

/** What moved the balance for a payment: its charge, its refunds and its disputes. */
export async function movementsOf(service: StripeChargeService, paid: Paid): Promise<BalanceTransaction[]> {
  const id = await objectOf(service, paid);
  const { captures, refunds, disputes, transactions } = service.stripe().books;
  const sources = [
    ...captures.filter(({ paymentId }) => paymentId === id),
    ...[...refunds, ...disputes].filter(({ payment_intent }) => payment_intent === id),
  ].map((one) => one.id);
  return transactions.filter(({ source }) => sources.includes(source));
}

/** The postings of no company since a number of them, as `kind account amount currency`. */
export async function postingsOfNobody({ database }: StripeChargeService): Promise<string[]> {
  const rows = await database.owner<{ text: string }[]>`
    SELECT concat_ws(' ', kind, account, amount_minor, currency) AS text FROM ledger_postings
    WHERE company_id = '00000000-0000-0000-0000-000000000000' ORDER BY number`;
  return rows.map(({ text }) => text);
}
