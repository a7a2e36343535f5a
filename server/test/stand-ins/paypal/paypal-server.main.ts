/** Runs the stand-in for PayPal as a separate process: `node paypal-server.main.ts --journal FILE [--port 0]`. */

import { runStandIn } from '../stand-in.ts';
import { startPayPalServer } from './paypal-server.ts';

await runStandIn(startPayPalServer);
