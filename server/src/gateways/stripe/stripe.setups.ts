/**
 * Cards that Stripe's own script saves in the browser, with SetupIntents (https://docs.stripe.com/api/setup_intents), and cards by their
 * id.
 */
import type { Static } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';
import type {
  ConfirmedCard,
  ConfirmedDebit,
  CreatedSetup,
  GatewayFields,
  GatewaySetup,
  SetupRequest,
} from '../gateway/gateway.cards.ts';
import { textLike } from '../gateway/gateway.shapes.ts';
import { type CardHolder, GatewayError } from '../gateway/gateway.ts';
import * as answers from './answers/stripe.answers.ts';
import { type AskStripe, type BeginStripeCall, StripeRefusal } from './answers/stripe.connection.ts';
import { Debit, findMandate, Mandate, readMandate, toDebit } from './answers/stripe.mandates.ts';
import { isMissingCustomer, requireCustomer } from './stripe.customers.ts';

const id = textLike(/^\w{1,255}$/);
const someText = Type.Optional(Type.Union([textLike(/^[\s\S]{0,500}$/), Type.Null()]));
const CreatedIntent = Type.Object({
  id,
  object: Type.Enum(['setup_intent']),
  client_secret: textLike(/^\w{1,500}$/),
});
const Card = Type.Object({
  id,
  object: Type.Enum(['payment_method']),
  customer: Type.Union([id, Type.Null()]),
  card: Type.Object({
    brand: textLike(/^[a-z_]{1,30}$/),
    last4: textLike(/^\d{4}$/),
    exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
    exp_year: Type.Integer({ minimum: 2000, maximum: 9999 }),
    fingerprint: someText,
    country: someText,
  }),
  billing_details: Type.Object({
    name: someText,
    address: Type.Optional(Type.Union([Type.Object({ country: someText }), Type.Null()])),
  }),
});
type Method = Static<typeof Card> | Static<typeof Debit>;
const Intent = Type.Object({
  id,
  object: Type.Enum(['setup_intent']),
  status: textLike(/^[a-z_]{1,50}$/),
  customer: Type.Union([id, Type.Null()]),
  payment_method: Type.Union([Card, Debit, Type.Null()]),
  mandate: Type.Optional(Type.Union([id, Mandate, Type.Null()])),
});

/** The fields of Stripe's script, which the publishable key opens. */
export function createFields(begin: BeginStripeCall, publishableKey: string): GatewayFields {
  return {
    publishableKey,
    createSetup: (request) => createSetup(begin(), request),
    findSetup: (gatewaySetupId) => findSetup(begin(), gatewaySetupId),
    takeOnce: (methodId, holder) => takeOnce(begin(), methodId, holder),
  };
}

async function createSetup(ask: AskStripe, { setupId, method, holder }: SetupRequest): Promise<CreatedSetup> {
  const metadata = { paydesk_setup: setupId, paydesk_company: holder.companyId };
  const params = {
    usage: 'off_session' as const,
    payment_method_types: [method === 'Card' ? 'card' : method],
    metadata,
  };
  const create = (customer: string) => {
    const named = { customer, ...params };
    const idempotencyKey = `setup-${setupId}-${customer}`;
    return ask((stripe, options) => stripe.setupIntents.create(named, { ...options, idempotencyKey }));
  };
  let customer = holder.customer ?? (await requireCustomer(ask, holder));
  let intent: unknown;
  try {
    intent = await create(customer);
  } catch (error) {
    if (!isMissingCustomer(error)) throw error;
    customer = await requireCustomer(ask, holder, { gone: customer, suffix: `-${setupId}` });
    intent = await create(customer);
  }
  const { id: gatewaySetupId, client_secret: clientSecret } = answers.read(CreatedIntent, intent);
  return { id: gatewaySetupId, clientSecret, customer };
}

async function findSetup(ask: AskStripe, gatewaySetupId: string): Promise<GatewaySetup> {
  const found = await ask((stripe, options) =>
    stripe.setupIntents.retrieve(gatewaySetupId, { expand: ['payment_method'] }, options),
  );
  const intent = answers.read(Intent, found);
  if (intent.id !== gatewaySetupId) throw answers.unreadable();
  const { status, customer, payment_method: method } = intent;
  if (status === 'succeeded' && method !== null && customer !== null) {
    return { status, card: await toConfirmed(ask, { method, customer, mandate: intent.mandate ?? null }) };
  }
  return { status: status === 'requires_action' ? status : 'requires_payment_method', card: null };
}

/**
 * Takes a card or an account for debits by its id (`pm_…`), and attaches one that nobody has.
 * @throws GatewayError `rejected` for another customer's
 */
export async function takeCard(
  ask: AskStripe,
  methodId: string,
  holder: CardHolder,
): Promise<ConfirmedCard | ConfirmedDebit> {
  const found = await findMethod(ask, methodId);
  if (found.type !== 'card' && found.type !== 'sepa_debit') throw notOurs();
  const method = found.type === 'card' ? answers.read(Card, found) : answers.read(Debit, found);
  const customer = holder.customer ?? (await requireCustomer(ask, holder));
  if (method.customer !== customer) {
    if (method.customer !== null) throw notOurs();
    await ask((stripe, options) => stripe.paymentMethods.attach(methodId, { customer }, options));
  }
  return toConfirmed(ask, { method, customer });
}

/** Takes a card that nobody has. It is charged as one of the company's customer, by whom its payments are listed, and not attached. */
async function takeOnce(ask: AskStripe, methodId: string, holder: CardHolder) {
  const found = await findMethod(ask, methodId);
  if (found.type !== 'card') throw notOurs();
  const method = answers.read(Card, found);
  if (method.customer !== null) throw notOurs();
  const customer = holder.customer ?? (await requireCustomer(ask, holder));
  const { token, brand, fingerprint } = toCard(method, customer);
  return { token, brand, customer, fingerprint };
}

async function findMethod(ask: AskStripe, methodId: string) {
  if (!/^pm_\w{1,200}$/.test(methodId)) throw notOurs();
  return ask((stripe, options) => stripe.paymentMethods.retrieve(methodId, {}, options)).catch((error: unknown) => {
    throw error instanceof StripeRefusal && error.code === 'resource_missing' ? notOurs() : error;
  });
}

function notOurs(): GatewayError {
  return new GatewayError('rejected', 'Stripe has no card with this id that is the company’s or nobody’s.');
}

/** @param mandate - of the setup; when it is left out, the one of the account's last setup is looked for */
async function toConfirmed(
  ask: AskStripe,
  { method, customer, mandate }: { method: Method; customer: string; mandate?: Static<typeof Intent>['mandate'] },
): Promise<ConfirmedCard | ConfirmedDebit> {
  if ('card' in method) return toCard(method, customer);
  return toDebit(
    method,
    customer,
    await (mandate === undefined ? findMandate(ask, method.id) : readMandate(ask, mandate)),
  );
}

function toCard({ id: methodId, card, billing_details }: Static<typeof Card>, customer: string): ConfirmedCard {
  return {
    token: `${customer}/${methodId}`,
    brand: card.brand,
    customer,
    lastFour: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    name: billing_details.name ?? '',
    country: billing_details.address?.country ?? card.country ?? '',
    fingerprint: card.fingerprint ?? methodId,
  };
}
