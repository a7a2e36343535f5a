import type { DebtRequest, GatewayDebtPayment } from '../gateway/gateway.ts';
import * as answers from './answers/stripe.answers.ts';
import { type AskStripe, StripeRefusal } from './answers/stripe.connection.ts';
import { readSourceToken } from './answers/stripe.ids.ts';
import { isMissingCustomer, searchCustomers, writeQuery } from './stripe.customers.ts';
import { sumRefundsOf } from './stripe.refunds.ts';

const pageSize = 100;

/**
 * Returns all intents of a debt. It lists them by customer, because Stripe's search shows new intents late.
 * @throws GatewayError
 */
export async function listPaymentsOfDebt(ask: AskStripe, request: DebtRequest): Promise<GatewayDebtPayment[]> {
  const found = new Map<string, GatewayDebtPayment>();
  for (const customer of await customersOf(ask, request)) {
    const listed = await listByCustomer(ask, customer, request).catch((error: unknown) => {
      if (isMissingCustomer(error)) return searchByDebt(ask, request);
      throw error;
    });
    for (const payment of listed) found.set(payment.id, payment);
  }
  for (const payment of found.values()) {
    if (payment.status === 'captured') payment.refundedMinor = await sumRefundsOf(ask, payment.id);
  }
  return [...found.values()].sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/** Returns the customers of the company. If none is known, a restored database may have lost them, so Stripe is searched for them. */
async function customersOf(
  ask: AskStripe,
  { companyId, customer, sourceTokens }: DebtRequest,
): Promise<ReadonlySet<string>> {
  const known = sourceTokens.map((token) => readSourceToken(token).customer);
  if (customer !== null) known.push(customer);
  return new Set(known.length > 0 ? known : await searchCustomers(ask, companyId));
}

async function listByCustomer(ask: AskStripe, customer: string, request: DebtRequest): Promise<GatewayDebtPayment[]> {
  const found: GatewayDebtPayment[] = [];
  let after: string | undefined;
  do {
    const query = { customer, limit: pageSize, ...(after ? { starting_after: after } : {}) };
    const page = await ask((stripe, options) => stripe.paymentIntents.list(query, options));
    if (!Array.isArray(page.data)) throw answers.unreadable();
    found.push(...page.data.flatMap((intent) => answers.readDebtPayment(intent, request) ?? []));
    after = answers.readLastId(page);
  } while (after !== undefined);
  return found;
}

/**
 * Searches for the intents of a customer that was deleted at Stripe: Stripe no longer lists them. The search may lag, but such a customer
 * gets no new ones. @throws GatewayError
 */
async function searchByDebt(ask: AskStripe, request: DebtRequest): Promise<GatewayDebtPayment[]> {
  const query = { query: writeQuery('paydesk_debt', request.debt), limit: pageSize };
  const page = await ask((stripe, options) => stripe.paymentIntents.search(query, options));
  if (!Array.isArray(page.data)) throw answers.unreadable();
  const ids = new Set<string>();
  for (const intent of page.data) ids.add(answers.readPaymentId(intent));
  for (const { gatewayPaymentId } of request.known) if (gatewayPaymentId !== null) ids.add(gatewayPaymentId);
  const found: GatewayDebtPayment[] = [];
  for (const id of ids) {
    const intent = await ask((stripe, options) => stripe.paymentIntents.retrieve(id, {}, options)).catch(ignoreMissing);
    const payment = intent === null ? null : answers.readDebtPayment(intent, request);
    if (payment !== null) found.push(payment);
  }
  return found;
}

function ignoreMissing(error: unknown): null {
  if (error instanceof StripeRefusal && error.code === 'resource_missing') return null;
  throw error;
}
