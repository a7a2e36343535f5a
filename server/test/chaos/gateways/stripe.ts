/** Stripe in the fault matrix. Its stand-in is a separate process with a journal. */
import { join } from 'node:path';
import { CARDS } from '../../customers/actors.ts';
import { spawnStandIn } from '../../stand-ins/stand-in.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } from '../../stand-ins/stripe/stripe-server.ts';
import { addCard } from './sandbox.ts';
import type { ChaosGateway } from './stand-ins.ts';

/** A card that can be attached to a customer, but is declined when it is charged. */
const DECLINED_CARD = '4000000000000341';

export const STRIPE: ChaosGateway = {
  name: 'stripe',
  spawn: (folder, port) =>
    spawnStandIn(join(import.meta.dirname, '../../stand-ins/stripe/stripe-server.main.ts'), folder, port),
  environmentOf: ({ url }) => ({
    GATEWAY: 'stripe',
    STRIPE_API_BASE: url,
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
  }),
  addSource: (create, answer) => addCard(create, answer === 'pays' ? CARDS.visa : DECLINED_CARD),
  invoiceChanges: {},
  declineCode: 'generic_decline',
  refundCheck: 'list',
  refundOrder: 'find',
};
