import type { FastifyBaseLogger } from 'fastify';
import { type Gateway, GatewayError } from './gateway/gateway.ts';

type FailureLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;
type Call = (...input: unknown[]) => Promise<unknown>;

/**
 * The same gateways with a log line for every call that fails, whoever makes it. A `rejected` request is logged as
 * `info`, because it may be about a card; everything else as `warn`.
 */
export function logFailures([first, ...others]: [Gateway, ...Gateway[]], log: FailureLog): [Gateway, ...Gateway[]] {
  return [logFailuresOf(first, log), ...others.map((gateway) => logFailuresOf(gateway, log))];
}

function logFailuresOf(gateway: Gateway, log: FailureLog): Gateway {
  const logged = (operation: string, call: Call): Call => {
    return async (...input) => {
      try {
        return await call(...input);
      } catch (error) {
        const level = error instanceof GatewayError && error.kind === 'rejected' ? 'info' : 'warn';
        log[level]({ err: error, gateway: gateway.name, operation, ...idsOfCall(input) }, 'a gateway gave no answer');
        throw error;
      }
    };
  };
  const calls = Object.entries(gateway).map(([name, value]) => [
    name,
    typeof value === 'function' ? logged(name, value as Call) : value,
  ]);
  return Object.fromEntries(calls) as Gateway;
}

/** The gateway's id of the object, and the idempotency key, which begins with our id. Nothing else of a request. */
function idsOfCall([first]: unknown[]): { gatewayId?: string; idempotencyKey?: string } {
  if (typeof first === 'string') return { gatewayId: first };
  const { gatewayPaymentId, idempotencyKey } = (first ?? {}) as Record<string, unknown>;
  return {
    ...(typeof gatewayPaymentId === 'string' ? { gatewayId: gatewayPaymentId } : {}),
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
  };
}
