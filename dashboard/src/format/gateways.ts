const NAMES: Readonly<Record<string, string>> = { sandbox: 'Sandbox', stripe: 'Stripe', paypal: 'PayPal' };

/** What a gateway calls itself. */
export function gatewayName(gateway: string): string {
  return NAMES[gateway] ?? gateway;
}
