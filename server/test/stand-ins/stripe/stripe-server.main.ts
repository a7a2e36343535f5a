/** Runs the stand-in for Stripe as a separate process: `node stripe-server.main.ts --journal FILE [--port 0]`. */
import { runStandIn } from '../stand-in.ts';
import { startStripeServer } from './stripe-server.ts';

await runStandIn(startStripeServer);
