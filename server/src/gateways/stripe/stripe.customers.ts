/** Keeps one Stripe customer for each company. Payments are listed by customer, so the customer must be found after a restore. */
import type { CustomerDescription } from '../gateway/gateway.cards.ts';
import { writePaymentDetails } from '../gateway/gateway.metadata.ts';
import { type CardHolder, GatewayError } from '../gateway/gateway.ts';
import * as answers from './answers/stripe.answers.ts';
import { type AskStripe, StripeRefusal } from './answers/stripe.connection.ts';

/** The number of customers on a page of a search. */
const SEARCH_SIZE = 100;
/** The maximum length of a customer's name: https://docs.stripe.com/api/customers/update */
const MAX_NAME_LENGTH = 256;

/**
 * Returns the company's customer, and creates it if Stripe has none. It carries the company's ids. A restored database
 * may lack one that exists: the idempotency key finds it while Stripe remembers keys, at least a day, and Stripe's search, which lags at
 * most an hour, finds it after that.
 * @param gone - a customer that was deleted at Stripe; `suffix` then makes the key of its successor @throws GatewayError
 */
export async function requireCustomer(
  ask: AskStripe,
  { companyId, companyExternalId = null }: CardHolder,
  { gone = null, suffix = '' }: { gone?: string | null; suffix?: string } = {},
): Promise<string> {
  const found = await searchCustomers(ask, companyId).catch((error: unknown) => {
    if (error instanceof GatewayError) return [];
    throw error;
  });
  const [known] = found.filter((customer) => customer !== gone);
  const customer = known ?? (await createCustomer(ask, companyId, suffix));
  // Apart from the creation, whose key demands that it is repeated as it was.
  if (companyExternalId !== null) {
    const metadata = writePaymentDetails({ companyExternalId });
    await ask((stripe, options) => stripe.customers.update(customer, { metadata }, options));
  }
  return customer;
}

async function createCustomer(ask: AskStripe, companyId: string, suffix: string): Promise<string> {
  const idempotencyKey = `customer-${companyId}${suffix}`;
  const customer = await ask((stripe, options) =>
    stripe.customers.create({ metadata: { paydesk_company: companyId } }, { ...options, idempotencyKey }),
  );
  return answers.read(answers.Customer, customer).id;
}

/** Implements `Gateway.describeCustomer`. */
export async function describeCustomer(
  ask: AskStripe,
  { companyId, companyExternalId, customer, name, email }: CustomerDescription,
): Promise<void> {
  const known = companyExternalId === null ? {} : { companyExternalId };
  const params = {
    name: name.slice(0, MAX_NAME_LENGTH),
    ...(email === null ? {} : { email }),
    metadata: { paydesk_company: companyId, ...writePaymentDetails(known) },
  };
  await ask((stripe, options) => stripe.customers.update(customer, params, options));
}

/** Returns the company's customers; none if the account may not search, in India for example. @throws GatewayError */
export async function searchCustomers(ask: AskStripe, companyId: string): Promise<string[]> {
  const query = writeQuery('paydesk_company', companyId);
  try {
    const page = await ask((stripe, options) => stripe.customers.search({ query, limit: SEARCH_SIZE }, options));
    if (!Array.isArray(page.data)) throw answers.unreadable();
    return page.data.map((customer) => answers.read(answers.Customer, customer).id);
  } catch (error) {
    if (error instanceof StripeRefusal) return [];
    throw error;
  }
}

/** Whether Stripe reports that a customer does not exist: it was deleted, or belongs to another account. */
export function isMissingCustomer(error: unknown): boolean {
  return error instanceof StripeRefusal && error.code === 'resource_missing' && error.parameter === 'customer';
}

/** Builds a search for a metadata value (https://docs.stripe.com/search#search-query-language). */
export function writeQuery(name: string, value: string): string {
  return `metadata['${name}']:'${value.replace(/[\\']/g, '\\$&')}'`;
}
