import { PAYPAL } from './chaos.paypal.ts';
import { SANDBOX } from './chaos.sandbox.ts';
import type { ChaosGateway } from './chaos.stand-ins.ts';
import { STRIPE } from './chaos.stripe.ts';

/** The gateways on which the fault matrix runs, in this order. */
export const CHAOS_GATEWAYS: readonly ChaosGateway[] = [SANDBOX, STRIPE, PAYPAL];
