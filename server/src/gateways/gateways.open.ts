import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/config/start-error.ts';
import type { Gateway } from './gateway/gateway.ts';
import { createSandboxGateway } from './sandbox/sandbox.gateway.ts';
import { startSandboxGateway } from './sandbox/server/server.ts';

/**
 * Opens the gateway that takes new cards, and whichever others are configured: cards and payments stay with the gateway that has them.
 * @throws StartError where the sandbox has to run as a process of its own
 */
export async function openGateways(config: Config, undo: AsyncDisposableStack): Promise<[Gateway, ...Gateway[]]> {
  const stripe = await openStripe(config);
  const paypal = await openPayPal(config);
  const others = paypal === null ? [] : [paypal];
  if (config.gateway === 'stripe' && stripe !== null) {
    if (config.sandboxGatewayUrl !== undefined) others.push(await openSandbox(config, undo));
    return [stripe, ...others];
  }
  if (stripe !== null) others.push(stripe);
  return [await openSandbox(config, undo), ...others];
}

/** Its package is imported only where it is needed. */
async function openStripe(config: Config): Promise<Gateway | null> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiBase: baseUrl } = config;
  if (secretKey === undefined) return null;
  const { createStripeGateway } = await import('./stripe/stripe.gateway.ts');
  return createStripeGateway({ baseUrl, secretKey, webhookSecret, timeoutMs: config.gatewayTimeoutMs });
}

/** It takes no cards, so it is never the chosen one. Its package is imported only where it is needed. */
async function openPayPal(config: Config): Promise<Gateway | null> {
  const { paypalClientId: clientId, paypalClientSecret: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  const { createPayPalGateway } = await import('./paypal/paypal.gateway.ts');
  const { paypalApiBase: baseUrl, paypalWebhookId: webhookId, gatewayTimeoutMs: timeoutMs } = config;
  return createPayPalGateway({ baseUrl, clientId, clientSecret, webhookId, timeoutMs });
}

/** The sandbox, in this process unless its address is configured; spoken to over HTTP either way. */
async function openSandbox(config: Config, undo: AsyncDisposableStack): Promise<Gateway> {
  const { sandboxGatewayUrl, sandboxGatewaySecret, gatewayTimeoutMs: timeoutMs } = config;
  if (sandboxGatewayUrl !== undefined && sandboxGatewaySecret !== undefined) {
    return createSandboxGateway({ baseUrl: sandboxGatewayUrl, secret: sandboxGatewaySecret, timeoutMs });
  }
  if (config.role !== 'all') {
    throw new StartError(
      'With ROLE=api or ROLE=worker, the sandbox gateway must run as its own process that all of them can reach: ' +
        'set SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET.',
    );
  }
  const secret = randomBytes(32).toString('base64url');
  const ledgerPath = join(config.dataDirectory, 'sandbox-gateway.db');
  const sandbox = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret });
  undo.defer(sandbox.close);
  return createSandboxGateway({ baseUrl: sandbox.url, secret, timeoutMs });
}
