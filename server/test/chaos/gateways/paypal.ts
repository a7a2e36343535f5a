/** PayPal in the fault matrix. Its stand-in is a separate process with a journal. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { testSecret } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET } from '../../stand-ins/paypal/paypal-server.ts';
import { PAYPAL_WEBHOOK_ID } from '../../stand-ins/paypal/paypal-server.webhooks.ts';
import { spawnStandIn } from '../../stand-ins/stand-in.ts';
import { SANDBOX } from './sandbox.ts';
import type { ChaosGateway } from './stand-ins.ts';

/**
 * PayPal accepts no cards, so a second gateway for cards is configured. Nothing listens at its address, and nothing has
 * to.
 */
const NO_CARDS = { SANDBOX_GATEWAY_URL: 'http://127.0.0.1:9', SANDBOX_GATEWAY_SECRET: testSecret };

export const PAYPAL: ChaosGateway = {
  name: 'paypal',
  spawn: (folder, port) =>
    spawnStandIn(join(import.meta.dirname, '../../stand-ins/paypal/paypal-server.main.ts'), folder, port),
  environmentOf: ({ url }) => ({
    ...NO_CARDS,
    PAYPAL_API_BASE: url,
    PAYPAL_CLIENT_ID,
    PAYPAL_CLIENT_SECRET,
    PAYPAL_WEBHOOK_ID,
  }),
  beside: SANDBOX,
  async addSource(create, answer) {
    const payer = answer === 'pays' ? 'SETUPPAYS' : 'SETUPDECLINES';
    await create('paypal-accounts', { setupToken: `${payer}-${randomUUID()}`, isDefault: true });
  },
  invoiceChanges: { method: 'paypal' },
  declineCode: 'payer_cannot_pay',
  refundCheck: 'find',
  refundOrder: 'find',
  // The adapter does not read the answer to a cancellation: it reads the order next, so the shape of that answer does not matter. And
  // PayPal has no list of orders: if the books know no order of a debt, no call is made.
  omits: ({ fault, step }) =>
    (fault === 'wrong_shape_answer' && step === 'G3') ||
    (step === 'ask' && !fault.startsWith('kill -9 of the API, after')),
};
