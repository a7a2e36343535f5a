import { readApiBase } from '../gateway/gateway.connection.ts';
import type { GatewayEntry } from '../gateway/gateway.entry.ts';

type StripeSettings = {
  secretKey: string;
  publishableKey: string | undefined;
  webhookSecret: string | undefined;
  baseUrl: string;
};

/** Stripe, for cards. */
export const stripe: GatewayEntry<StripeSettings> = {
  name: 'stripe',
  methods: ['Card'],
  isReal: true,
  lagSeconds: 60,
  capturesDebtsOnce: false,
  hasDisputes: true,
  // Its codes for cards are the names that all gateways share. These are of debits that come back: the account can't be debited, or the
  // mandate no longer counts (https://docs.stripe.com/error-codes, https://docs.stripe.com/declines/network-codes). It leaves out
  // `refer_to_customer`: the holder has stopped this one debit.
  hardDeclines: [
    'account_closed',
    'account_number_invalid',
    'bank_account_closed',
    'bank_account_invalid_details',
    'bank_account_restricted',
    'bank_account_unusable',
    'debit_not_authorized',
    'no_account',
    'payment_intent_mandate_invalid',
    'payment_method_bank_account_blocked',
  ],
  idForms: { payment: '`pi_…` at Stripe', dispute: '`dp_…` at Stripe' },
  fieldsVariable: 'STRIPE_PUBLISHABLE_KEY',
  webhook: {
    operationId: 'receiveStripeEvent',
    summary: 'Receive an event of Stripe',
    description:
      "The address of Stripe's webhook endpoint; only Stripe sends requests to it. An event without a valid `Stripe-Signature` " +
      'from the last five minutes is refused. A repeated event has no second effect. 404 if no webhook of Stripe is configured.',
  },

  readSettings({ text, secret, isChosen }, problems) {
    const [secretKey, webhookSecret] = [secret('STRIPE_SECRET_KEY'), secret('STRIPE_WEBHOOK_SECRET')];
    const publishableKey = text('STRIPE_PUBLISHABLE_KEY');
    const baseUrl = text('STRIPE_API_BASE') ?? 'https://api.stripe.com';
    if (isChosen && secretKey === undefined) problems.push('GATEWAY=stripe needs STRIPE_SECRET_KEY');
    if (secretKey !== undefined && !/^[sr]k_(test|live)_\w{3,300}$/.test(secretKey)) {
      problems.push(
        'STRIPE_SECRET_KEY must be a secret or restricted key: sk_test_…, sk_live_…, rk_test_… or rk_live_…',
      );
    }
    if (publishableKey !== undefined && !/^pk_(test|live)_\w{3,300}$/.test(publishableKey)) {
      problems.push('STRIPE_PUBLISHABLE_KEY must be a publishable key: pk_test_… or pk_live_…');
    }
    if (webhookSecret !== undefined && !/^whsec_[\w+/=-]{8,300}$/.test(webhookSecret)) {
      problems.push("STRIPE_WEBHOOK_SECRET must be the endpoint's signing secret, whsec_…");
    }
    const base = readApiBase(baseUrl);
    if (base === null) {
      problems.push('STRIPE_API_BASE must be a URL without a path, such as https://api.stripe.com');
    } else if (base.protocol === 'http:' && secretKey?.includes('_live_')) {
      problems.push('STRIPE_API_BASE must be https: a live key is never sent in the clear');
    }
    return secretKey === undefined ? null : { secretKey, publishableKey, webhookSecret, baseUrl };
  },

  async open(settings, { config }) {
    const { createStripeGateway } = await import('./stripe.gateway.ts');
    return createStripeGateway({ ...settings, timeoutMs: config.gatewayTimeoutMs });
  },
};
