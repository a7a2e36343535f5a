/** The gateways of this process: the one that takes new cards and accounts, and those of older ones. */
import { type Gateway, GatewayError } from './gateway/gateway.ts';

/** A gateway that holds accounts. */
export type AccountGateway = Gateway & Required<Pick<Gateway, 'vaultAccount'>>;

/** A gateway among the others that are configured, which may have captured the same debts. */
export type ConfiguredGateway = Gateway & { others: readonly Gateway[] };

export type Gateways = {
  /** Takes new cards. */
  chosen: ConfiguredGateway;
  /** Vaults new PayPal accounts; null when no gateway can, or only the sandbox, and that was not chosen. */
  accounts: AccountGateway | null;
  /** Whether money moves: any gateway besides the sandbox is configured. */
  isReal: boolean;
  /** Every adapter that is configured. */
  configured: readonly ConfiguredGateway[];
  /**
   * The gateway of a card or payment. If it is not configured, every call rejects with a `GatewayError`
   * `not_configured`: another gateway could only guess.
   */
  of(name: string): ConfiguredGateway;
};

/** The first one takes new cards. */
export function createGateways(gateways: [Gateway, ...Gateway[]]): Gateways {
  const withOthers = (gateway: Gateway): ConfiguredGateway => {
    return { ...gateway, others: gateways.filter((other) => other !== gateway) };
  };
  const [first, ...rest] = gateways;
  const chosen = withOthers(first);
  const configured = [chosen, ...rest.map(withOthers)];
  return {
    chosen,
    accounts: chooseForAccounts(chosen, configured),
    isReal: configured.some(({ name }) => name !== 'sandbox'),
    configured,
    of: (name) => configured.find((gateway) => gateway.name === name) ?? createMissingGateway(name),
  };
}

/** Prefers a real gateway. The sandbox's accounts are useful only where its cards are. */
function chooseForAccounts(chosen: Gateway, configured: readonly Gateway[]): AccountGateway | null {
  const real = configured.find((gateway) => gateway.name !== 'sandbox' && holdsAccounts(gateway));
  const found = real ?? (chosen.name === 'sandbox' ? chosen : null);
  return found !== null && holdsAccounts(found) ? found : null;
}

function holdsAccounts(gateway: Gateway): gateway is AccountGateway {
  return gateway.vaultAccount !== undefined;
}

function createMissingGateway(name: string): ConfiguredGateway {
  const refuse = async (): Promise<never> => {
    throw new GatewayError('not_configured', `The gateway ${name} is not configured.`);
  };
  return {
    name,
    others: [],
    tokenizeCard: refuse,
    createPayment: refuse,
    confirmPayment: refuse,
    cancelPayment: refuse,
    findPayment: refuse,
    listPaymentsOfDebt: refuse,
    refundPayment: refuse,
    findRefund: refuse,
    listRefundsOf: refuse,
    listPayments: refuse,
    listRefunds: refuse,
    detachSource: refuse,
  };
}
