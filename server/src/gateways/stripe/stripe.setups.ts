/**
 * Cards that Stripe's own script saves in the browser, with SetupIntents (https://docs.stripe.com/api/setup_intents), and cards by their
 * id.
 */
import type { Static } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';
import type {
  ConfirmedCard,
  CreatedSetup,
  GatewayFields,
  GatewaySetup,
  SetupRequest,
} from '../gateway/gateway.cards.ts';
import { textLike } from '../gateway/gateway.shapes.ts';
import { type CardHolder, GatewayError } from '../gateway/gateway.ts';
import * as answers from './answers/stripe.answers.ts';
import { type AskStripe, type BeginStripeCall, StripeRefusal } from './answers/stripe.connection.ts';
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
const Intent = Type.Object({
  id,
  object: Type.Enum(['setup_intent']),
  status: textLike(/^[a-z_]{1,50}$/),
  customer: Type.Union([id, Type.Null()]),
  payment_method: Type.Union([Card, Type.Null()]),
});

/** The fields of Stripe's script, which the publishable key opens. */
export function createFields(begin: BeginStripeCall, publishableKey: string): GatewayFields {
  return {
    publishableKey,
    createSetup: (request) => createSetup(begin(), request),
    findSetup: (gatewaySetupId) => findSetup(begin(), gatewaySetupId),
  };
}

async function createSetup(ask: AskStripe, { setupId, holder }: SetupRequest): Promise<CreatedSetup> {
  const metadata = { paydesk_setup: setupId, paydesk_company: holder.companyId };
  const params = { usage: 'off_session' as const, payment_method_types: ['card'], metadata };
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
  if (status === 'succeeded' && method !== null && customer !== null)
    return { status, card: toConfirmed(method, customer) };
  return { status: status === 'requires_action' ? status : 'requires_payment_method', card: null };
}

/** Takes a card by its id (`pm_…`), and attaches one that nobody has. @throws GatewayError `rejected` for another customer's */
export async function takeCard(ask: AskStripe, methodId: string, holder: CardHolder): Promise<ConfirmedCard> {
  if (!/^pm_\w{1,200}$/.test(methodId)) throw notOurs();
  const found = await ask((stripe, options) => stripe.paymentMethods.retrieve(methodId, {}, options)).catch(
    (error: unknown) => {
      throw error instanceof StripeRefusal && error.code === 'resource_missing' ? notOurs() : error;
    },
  );
  if (found.type !== 'card') throw notOurs();
  const method = answers.read(Card, found);
  const customer = holder.customer ?? (await requireCustomer(ask, holder));
  if (method.customer === customer) return toConfirmed(method, customer);
  if (method.customer !== null) throw notOurs();
  await ask((stripe, options) => stripe.paymentMethods.attach(methodId, { customer }, options));
  return toConfirmed(method, customer);
}

function notOurs(): GatewayError {
  return new GatewayError('rejected', 'Stripe has no card with this id that is the company’s or nobody’s.');
}

function toConfirmed({ id: methodId, card, billing_details }: Static<typeof Card>, customer: string): ConfirmedCard {
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
