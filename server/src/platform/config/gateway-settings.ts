export type GatewayName = 'sandbox' | 'stripe';
const GATEWAYS: readonly GatewayName[] = ['sandbox', 'stripe'];

/** The part of the configuration that says which gateways there are. */
export type GatewaySettings = {
  /** The gateway that takes new cards. */
  gateway: GatewayName;
  /** Unset: the sandbox gateway runs inside the server. */
  sandboxGatewayUrl: string | undefined;
  sandboxGatewaySecret: string | undefined;
  /** If set, cards and payments at Stripe can be charged, refunded and reconciled, whichever gateway takes new ones. */
  stripeSecretKey: string | undefined;
  stripeWebhookSecret: string | undefined;
  stripeApiBase: string;
  /**
   * If set with its secret, accounts and payments at PayPal can be charged, refunded and reconciled. PayPal takes no
   * cards.
   */
  paypalClientId: string | undefined;
  paypalClientSecret: string | undefined;
  paypalWebhookId: string | undefined;
  paypalApiBase: string;
};

/** Lists what is wrong with the gateways' configuration. */
export function findProblemsOfGateways(config: GatewaySettings): string[] {
  return [...findGatewayProblems(config), ...findPayPalProblems(config)];
}

function findGatewayProblems(config: GatewaySettings): string[] {
  const problems: string[] = [];
  const { sandboxGatewayUrl, sandboxGatewaySecret, stripeSecretKey, stripeWebhookSecret, stripeApiBase } = config;
  if (!GATEWAYS.includes(config.gateway)) problems.push(`GATEWAY must be one of ${GATEWAYS.join(', ')}`);
  if (sandboxGatewayUrl !== undefined && !/^https?:$/.test(URL.parse(sandboxGatewayUrl)?.protocol ?? '')) {
    problems.push('SANDBOX_GATEWAY_URL must be a URL such as http://127.0.0.1:4010');
  }
  if ((sandboxGatewayUrl === undefined) !== (sandboxGatewaySecret === undefined)) {
    problems.push('SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET must be set together');
  }
  if (config.gateway === 'stripe' && stripeSecretKey === undefined)
    problems.push('GATEWAY=stripe needs STRIPE_SECRET_KEY');
  if (stripeSecretKey !== undefined && !/^[sr]k_(test|live)_\w{3,300}$/.test(stripeSecretKey)) {
    problems.push('STRIPE_SECRET_KEY must be a secret or restricted key: sk_test_…, sk_live_…, rk_test_… or rk_live_…');
  }
  if (stripeWebhookSecret !== undefined && !/^whsec_[\w+/=-]{8,300}$/.test(stripeWebhookSecret)) {
    problems.push("STRIPE_WEBHOOK_SECRET must be the endpoint's signing secret, whsec_…");
  }
  const base = readApiBase(stripeApiBase);
  if (base === null) {
    problems.push('STRIPE_API_BASE must be a URL without a path, such as https://api.stripe.com');
  } else if (base.protocol === 'http:' && stripeSecretKey?.includes('_live_')) {
    problems.push('STRIPE_API_BASE must be https: a live key is never sent in the clear');
  }
  return problems;
}

function findPayPalProblems({
  paypalClientId,
  paypalClientSecret,
  paypalWebhookId,
  paypalApiBase,
}: GatewaySettings): string[] {
  const problems: string[] = [];
  if ((paypalClientId === undefined) !== (paypalClientSecret === undefined)) {
    problems.push('PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET must be set together');
  }
  for (const [name, value] of Object.entries({ CLIENT_ID: paypalClientId, CLIENT_SECRET: paypalClientSecret })) {
    if (value !== undefined && !/^[\w-]{20,200}$/.test(value)) {
      problems.push(`PAYPAL_${name} must be the one of your REST app: letters, digits, - and _`);
    }
  }
  if (paypalWebhookId !== undefined && !/^[A-Za-z0-9]{5,50}$/.test(paypalWebhookId)) {
    problems.push("PAYPAL_WEBHOOK_ID must be the webhook's id, letters and digits");
  } else if (paypalWebhookId !== undefined && paypalClientId === undefined) {
    problems.push('PAYPAL_WEBHOOK_ID needs PAYPAL_CLIENT_ID');
  }
  const base = readApiBase(paypalApiBase);
  if (base === null) {
    problems.push('PAYPAL_API_BASE must be a URL without a path, such as https://api-m.sandbox.paypal.com');
  } else if (base.protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(base.hostname)) {
    // PayPal's credentials do not show whether they are live.
    problems.push('PAYPAL_API_BASE must be https, except for a server on this machine');
  }
  return problems;
}

/** Null when the text is not an http or https URL. */
function readApiBase(text: string): URL | null {
  const base = URL.parse(text);
  const isBaseUrl = base !== null && /^https?:$/.test(base.protocol) && base.pathname === '/';
  return isBaseUrl && base.search === '' && base.username === '' && base.hash === '' ? base : null;
}
