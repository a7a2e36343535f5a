import { readApiBase } from '../gateway/gateway.connection.ts';
import type { GatewayEntry } from '../gateway/gateway.entry.ts';

type PayPalSettings = { clientId: string; clientSecret: string; webhookId: string | undefined; baseUrl: string };

/** PayPal, for PayPal accounts. It takes no cards, so it is never the gateway that `GATEWAY` chooses. */
export const paypal: GatewayEntry<PayPalSettings> = {
  name: 'paypal',
  methods: ['paypal'],
  isReal: true,
  // Its search shows a transaction up to three hours late.
  lagSeconds: 10_800,
  capturesDebtsOnce: true,
  hasDisputes: true,
  // In lower case (https://developer.paypal.com/api/rest/reference/orders/v2/errors): the account is closed, or its holder has canceled
  // the agreement to charge it.
  hardDeclines: ['payer_account_locked_or_closed', 'agreement_already_cancelled', 'billing_agreement_not_found'],
  idForms: { payment: "the order's at PayPal", dispute: '`PP-D-…` at PayPal' },
  webhook: {
    operationId: 'receivePaypalEvent',
    summary: 'Receive an event of PayPal',
    description:
      "The address of PayPal's webhook; only PayPal sends requests to it. Paydesk asks PayPal whether it signed the event. An " +
      'event that PayPal did not sign, or first sent more than 73 hours ago, is refused. A repeated event has no second effect. ' +
      '404 if no webhook of PayPal is configured.',
  },

  readSettings({ text, secret }, problems) {
    const [clientId, clientSecret] = [text('PAYPAL_CLIENT_ID'), secret('PAYPAL_CLIENT_SECRET')];
    const [webhookId, baseUrl] = [text('PAYPAL_WEBHOOK_ID'), text('PAYPAL_API_BASE') ?? 'https://api-m.paypal.com'];
    if ((clientId === undefined) !== (clientSecret === undefined)) {
      problems.push('PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET must be set together');
    }
    for (const [name, value] of Object.entries({ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret })) {
      if (value !== undefined && !/^[\w-]{20,200}$/.test(value)) {
        problems.push(`PAYPAL_${name} must be the one of your REST app: letters, digits, - and _`);
      }
    }
    if (webhookId !== undefined && !/^[A-Za-z0-9]{5,50}$/.test(webhookId)) {
      problems.push("PAYPAL_WEBHOOK_ID must be the webhook's id, letters and digits");
    } else if (webhookId !== undefined && clientId === undefined) {
      problems.push('PAYPAL_WEBHOOK_ID needs PAYPAL_CLIENT_ID');
    }
    const base = readApiBase(baseUrl);
    if (base === null) {
      problems.push('PAYPAL_API_BASE must be a URL without a path, such as https://api-m.sandbox.paypal.com');
    } else if (base.protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(base.hostname)) {
      // PayPal's credentials do not show whether they are live.
      problems.push('PAYPAL_API_BASE must be https, except for a server on this machine');
    }
    if (clientId === undefined || clientSecret === undefined) return null;
    return { clientId, clientSecret, webhookId, baseUrl };
  },

  async open(settings, { config }) {
    const { createPayPalGateway } = await import('./paypal.gateway.ts');
    return createPayPalGateway({ ...settings, timeoutMs: config.gatewayTimeoutMs });
  },
};
