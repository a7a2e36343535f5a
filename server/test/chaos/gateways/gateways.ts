import { PAYPAL } from './paypal.ts';
import { SANDBOX } from './sandbox.ts';
import type { ChaosGateway } from './stand-ins.ts';
import { STRIPE } from './stripe.ts';

/** The gateways on which the fault matrix runs, in this order. */
export const CHAOS_GATEWAYS: readonly ChaosGateway[] = [SANDBOX, STRIPE, PAYPAL];
