/** The stand-in for Stripe as a process of its own: `node stripe-server.main.ts --journal FILE [--port 0]`. */
import { runStandIn } from '../stand-in.ts';
import { startStripeServer } from './stripe-server.ts';

await runStandIn(startStripeServer);
