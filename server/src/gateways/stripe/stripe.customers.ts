/** Whom Stripe knows a company as: its payments are listed by customer, and so nothing of it may be lost with the books. */
import { GatewayError } from '../gateway/gateway.ts';
import * as answers from './stripe.answers.ts';
import { type AskStripe, StripeRefusal } from './stripe.connection.ts';

/** The customers that a search shows at once. */
const SEARCH_SIZE = 100;

/**
 * The company's customer, who is made when Stripe has none. A restored database may have lost one: the key shows it as long as Stripe
 * remembers keys, a day at least, and Stripe's search does after that, which lags an hour at most.
 * @param gone - one that was deleted at Stripe, and `suffix` what makes the key of another one @throws GatewayError
 */
export async function requireCustomer(
  ask: AskStripe,
  companyId: string,
  { gone = null, suffix = '' }: { gone?: string | null; suffix?: string } = {},
): Promise<string> {
  const found = await searchCustomers(ask, companyId);
  const [known] = found.filter((customer) => customer !== gone);
  if (known !== undefined) return known;
  const idempotencyKey = `customer-${companyId}${suffix}`;
  const customer = await ask((stripe, options) =>
    stripe.customers.create({ metadata: { paydesk_company: companyId } }, { ...options, idempotencyKey }),
  );
  return answers.read(answers.isCustomer, customer).id;
}

/** None, too, where an account (in India, say) or its key may not search. */
async function searchCustomers(ask: AskStripe, companyId: string): Promise<string[]> {
  const query = writeQuery('paydesk_company', companyId);
  try {
    const page = await ask((stripe, options) => stripe.customers.search({ query, limit: SEARCH_SIZE }, options));
    if (!Array.isArray(page.data)) throw answers.unreadable();
    return page.data.map((customer) => answers.read(answers.isCustomer, customer).id);
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

/** Stripe's word for a customer that is not there: it was deleted, or is of another account. */
export function isMissingCustomer(error: unknown): boolean {
  return error instanceof StripeRefusal && error.code === 'resource_missing' && error.parameter === 'customer';
}

/** What is written down under this name (https://docs.stripe.com/search#search-query-language). */
export function writeQuery(name: string, value: string): string {
  return `metadata['${name}']:'${value.replace(/[\\']/g, '\\$&')}'`;
}
