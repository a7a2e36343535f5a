/** The gateways of this process: the one that takes new cards, and those that hold older ones. */
import { type Gateway, GatewayError } from './gateway.ts';

export type Gateways = {
  /** Takes new cards. */
  chosen: Gateway;
  /** Every adapter that is configured. */
  configured: readonly Gateway[];
  /**
   * The gateway that holds a card or a payment. For one that is not configured every call rejects with a `GatewayError`
   * `not_configured`: another gateway could only guess.
   */
  of(name: string): Gateway;
};

/** The first one takes new cards. */
export function createGateways([chosen, ...others]: [Gateway, ...Gateway[]]): Gateways {
  const configured = [chosen, ...others];
  return {
    chosen,
    configured,
    of: (name) => configured.find((gateway) => gateway.name === name) ?? createMissingGateway(name),
  };
}

function createMissingGateway(name: string): Gateway {
  const refuse = async (): Promise<never> => {
    throw new GatewayError('not_configured', `The gateway ${name} is not configured.`);
  };
  return {
    name,
    tokenizeCard: refuse,
    createPayment: refuse,
    confirmPayment: refuse,
    cancelPayment: refuse,
    findPayment: refuse,
    refundPayment: refuse,
    findRefund: refuse,
    listRefundsOf: refuse,
    listCaptures: refuse,
    listRefunds: refuse,
  };
}
