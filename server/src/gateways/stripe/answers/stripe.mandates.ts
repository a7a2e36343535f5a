/** Accounts that SEPA direct debits are collected from, and their mandates (https://docs.stripe.com/api/mandates). */
import type { Static } from 'typebox';
import { Type } from '../../../platform/http/schema/type.ts';
import type { ConfirmedDebit, Mandate as GivenMandate } from '../../gateway/gateway.cards.ts';
import { matches, textLike } from '../../gateway/gateway.shapes.ts';
import * as answers from './stripe.answers.ts';
import { type AskStripe, StripeRefusal } from './stripe.connection.ts';
import { DEBIT_TOKEN } from './stripe.ids.ts';

const id = textLike(/^\w{1,255}$/);
const someText = Type.Optional(Type.Union([textLike(/^[\s\S]{0,500}$/), Type.Null()]));
const seconds = Type.Integer({ minimum: 0, maximum: 100_000_000_000 });

/** A payment method of the type `sepa_debit`. */
export const Debit = Type.Object({
  id,
  object: Type.Enum(['payment_method']),
  customer: Type.Union([id, Type.Null()]),
  sepa_debit: Type.Object({
    country: textLike(/^[A-Z]{2}$/),
    last4: textLike(/^[0-9A-Z]{4}$/),
    fingerprint: someText,
  }),
  billing_details: Type.Object({ name: someText }),
});

export const Mandate = Type.Object({
  id,
  object: Type.Enum(['mandate']),
  customer_acceptance: Type.Object({ accepted_at: Type.Optional(Type.Union([seconds, Type.Null()])) }),
  payment_method_details: Type.Object({ sepa_debit: Type.Object({ reference: textLike(/^[\x20-\x7e]{1,255}$/) }) }),
});

const SetupWithMandate = Type.Object({
  status: textLike(/^[a-z_]{1,50}$/),
  mandate: Type.Union([Mandate, Type.Null()]),
});

/** Converts an account to what is kept of it. */
export function toDebit(
  { id: methodId, sepa_debit, billing_details }: Static<typeof Debit>,
  customer: string,
  mandate: GivenMandate | null,
): ConfirmedDebit {
  return {
    method: 'sepa_debit',
    token: `${customer}/${methodId}${DEBIT_TOKEN}`,
    customer,
    lastFour: sepa_debit.last4,
    name: billing_details.name ?? '',
    country: sepa_debit.country,
    fingerprint: sepa_debit.fingerprint ?? methodId,
    mandate,
  };
}

/** Reads the mandate of a setup, which may be its id alone. @throws GatewayError */
export async function readMandate(
  ask: AskStripe,
  mandate: Static<typeof Mandate> | string | null,
): Promise<GivenMandate | null> {
  if (mandate === null) return null;
  if (typeof mandate !== 'string') return toMandate(mandate);
  return toMandate(
    answers.read(Mandate, await ask((stripe, options) => stripe.mandates.retrieve(mandate, {}, options))),
  );
}

/** Finds the mandate of the account's last setup that has one; null for none, and where setups can't be listed. @throws GatewayError */
export async function findMandate(ask: AskStripe, methodId: string): Promise<GivenMandate | null> {
  const query = { payment_method: methodId, limit: 100, expand: ['data.mandate'] };
  try {
    const page = await ask((stripe, options) => stripe.setupIntents.list(query, options));
    if (!Array.isArray(page.data)) throw answers.unreadable();
    const setups = page.data.filter((setup): setup is typeof setup & Static<typeof SetupWithMandate> =>
      matches(SetupWithMandate, setup),
    );
    const mandate = setups.find((setup) => setup.status === 'succeeded' && setup.mandate !== null)?.mandate;
    return mandate ? toMandate(mandate) : null;
  } catch (error) {
    if (error instanceof StripeRefusal) return null;
    throw error;
  }
}

/** A mandate whose acceptance has no date counts as accepted now. */
function toMandate({ customer_acceptance, payment_method_details }: Static<typeof Mandate>): GivenMandate {
  const { accepted_at: atSeconds } = customer_acceptance;
  const acceptedAt = typeof atSeconds === 'number' ? new Date(atSeconds * 1_000) : new Date();
  return { reference: payment_method_details.sepa_debit.reference, acceptedAt };
}
