/** PayPal in the fault matrix, played by its stand-in, which is a process of its own with a journal. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { testSecret } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET } from '../../stand-ins/paypal/paypal-server.ts';
import { PAYPAL_WEBHOOK_ID } from '../../stand-ins/paypal/paypal-server.webhooks.ts';
import { spawnStandIn } from '../../stand-ins/stand-in.ts';
import type { ChaosGateway } from './stand-ins.ts';

/** PayPal takes no cards, so there is a gateway beside it that would; nobody listens there, and nobody has to. */
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
  async addSource(create, answer) {
    const payer = answer === 'pays' ? 'SETUPPAYS' : 'SETUPDECLINES';
    await create('paypal-accounts', { setupToken: `${payer}-${randomUUID()}`, isDefault: true });
  },
  invoiceChanges: { method: 'paypal' },
  declineCode: 'payer_cannot_pay',
  refundLook: 'find',
  refundOrder: 'find',
  // Its answer to a cancellation says nothing and is not read: the order itself is asked next, so no shape of it leaves anything open. And
  // it has no list: a debt of which the books know no order is asked for without a call.
  omits: ({ fault, step }) =>
    (fault === 'wrong_shape_answer' && step === 'G3') ||
    (step === 'ask' && !fault.startsWith('kill -9 of the API, after')),
};
