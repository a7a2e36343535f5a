/** What the API reference says of a gateway's webhook, `POST /gateways/{name}/webhooks`. */
export type GatewayWebhook = { operationId: string; summary: string; description: string };

/** The gateways beside the sandbox, by their names. */
export const REAL_GATEWAYS: Readonly<Record<string, GatewayWebhook>> = {
  stripe: {
    operationId: 'receiveStripeEvent',
    summary: 'Receive an event of Stripe',
    description:
      'For Stripe alone: the address of its webhook endpoint. An event without a right `Stripe-Signature` of the last five minutes is ' +
      'refused, and one that came before has no second effect. 404 where no webhook of Stripe is configured.',
  },
  paypal: {
    operationId: 'receivePaypalEvent',
    summary: 'Receive an event of PayPal',
    description:
      'For PayPal alone: the address of its webhook. PayPal is asked whether it signed the event; one that it did not sign, or that ' +
      'was first sent more than 73 hours ago, is refused, and one that came before has no second effect. 404 where no webhook of PayPal ' +
      'is configured.',
  },
};

/** The names of all gateways. */
export const GATEWAY_NAMES: readonly string[] = ['sandbox', ...Object.keys(REAL_GATEWAYS)];
