import type { DebtRequest, GatewayDebtPayment } from '../gateway.ts';
import * as answers from './stripe.answers.ts';
import type { AskStripe } from './stripe.connection.ts';
import { readSourceToken } from './stripe.ids.ts';
import { listRefundsOf } from './stripe.refunds.ts';

const pageSize = 100;

/** All intents of a debt, listed by customer, which does not lag behind what was created as a search does. @throws GatewayError */
export async function listPaymentsOfDebt(ask: AskStripe, request: DebtRequest): Promise<GatewayDebtPayment[]> {
  const tokens = request.sourceTokens.map((token) => readSourceToken(token).customer);
  const customers = new Set(request.customer === null ? tokens : [...tokens, request.customer]);
  const found: GatewayDebtPayment[] = [];
  for (const customer of customers) {
    let after: string | undefined;
    do {
      const query = { customer, limit: pageSize, ...(after ? { starting_after: after } : {}) };
      const page = await ask((stripe, options) => stripe.paymentIntents.list(query, options));
      if (!Array.isArray(page.data)) throw answers.unreadable();
      found.push(...page.data.flatMap((intent) => answers.readDebtPayment(intent, request) ?? []));
      after = page.has_more ? page.data.at(-1)?.id : undefined;
    } while (after !== undefined);
  }
  for (const payment of found) {
    if (payment.status !== 'captured') continue;
    const refunds = await listRefundsOf(ask, payment.id);
    payment.refundedMinor = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  }
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}
