/** The fields of what confirms a payment, in answers and in the error `authentication_required`. */
export const NEXT_ACTION_FIELDS = {
  gateway: { type: 'string', description: 'The gateway whose script confirms the payment.', examples: ['sandbox'] },
  clientSecret: {
    type: 'string',
    description: 'Lets the script of the gateway confirm this payment, and nothing else.',
    examples: ['payment_1Abc_secret_Def'],
  },
  publishableKey: { type: 'string', description: 'With which the script is started.', examples: ['pk_sandbox'] },
  url: {
    type: 'string',
    description: 'The page of the invoice, on which the customer can confirm the payment too.',
    examples: ['https://billing.example.com/pay/eyJhbGciOi'],
  },
  expiresAt: { type: 'string', format: 'date-time', description: 'Until when the payment waits.' },
} as const;

/** An example of it. */
export const EXAMPLE_ACTION = {
  gateway: 'sandbox',
  clientSecret: 'payment_1Abc_secret_Def',
  publishableKey: 'pk_sandbox',
  url: 'https://billing.example.com/pay/eyJhbGciOi',
  expiresAt: '2026-11-17T08:00:00.000Z',
};
