/** The list of gateways, and those of this process: the one that takes new cards and accounts, and those of older ones. */
import type { Queryable } from '../platform/database/database.ts';
import type { GatewayEntry } from './gateway/gateway.entry.ts';
import { type Gateway, GatewayError } from './gateway/gateway.ts';
import { paypal } from './paypal/paypal.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { stripe } from './stripe/stripe.ts';

/** All gateways. The first one for cards takes new ones, unless the configuration chooses another. */
export const GATEWAYS: readonly GatewayEntry[] = [sandbox, stripe, paypal];

/** The names of all gateways. */
export const GATEWAY_NAMES: readonly string[] = GATEWAYS.map(({ name }) => name);

/** Says in the API reference how the gateways' ids of payments or disputes look. */
export function describeIds(of: 'payment' | 'dispute'): string {
  return GATEWAYS.flatMap(({ idForms }) => idForms?.[of] ?? []).join(', ');
}

/** Returns the entry of a gateway by its name; undefined for one that this version does not have. */
export function findEntry(gateway: string): GatewayEntry | undefined {
  return GATEWAYS.find(({ name }) => name === gateway);
}

/** Returns the method of every payment at a gateway that charges only one; null if it charges several, or is not known. */
export function onlyMethodOf(gateway: string): GatewayEntry['methods'][number] | null {
  const [method, ...others] = findEntry(gateway)?.methods ?? [];
  return method === undefined || others.length > 0 ? null : method;
}

/** Whether real money moves there. A gateway that this version does not have counts as real. */
export function isRealGateway(gateway: string): boolean {
  return findEntry(gateway)?.isReal ?? true;
}

/** A gateway that holds accounts. */
export type AccountGateway = Gateway & Required<Pick<Gateway, 'vaultAccount'>>;

/** How long a payment waits for its confirmation, and the address of the page where an invoice is paid. */
export type Confirmations = {
  windowSeconds: number;
  pageOf(db: Queryable, companyId: string, invoiceId: string): Promise<string>;
};

/** A gateway among the others that are configured, which may have captured the same debts. */
export type ConfiguredGateway = Gateway & { others: readonly Gateway[]; confirmations: Confirmations };

export type Gateways = {
  /** Takes new cards. */
  chosen: ConfiguredGateway;
  /** Vaults new PayPal accounts; null when no gateway can, or only one without real money that was not chosen. */
  accounts: AccountGateway | null;
  /** Whether real money moves: any real gateway is configured. */
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
export function createGateways(gateways: [Gateway, ...Gateway[]], confirmations: Confirmations): Gateways {
  const withOthers = (gateway: Gateway): ConfiguredGateway => {
    return { ...gateway, others: gateways.filter((other) => other !== gateway), confirmations };
  };
  const [first, ...rest] = gateways;
  const chosen = withOthers(first);
  const configured = [chosen, ...rest.map(withOthers)];
  return {
    chosen,
    accounts: chooseForAccounts(chosen, configured),
    isReal: configured.some(({ name }) => isRealGateway(name)),
    configured,
    of: (name) => configured.find((gateway) => gateway.name === name) ?? createMissingGateway(name, confirmations),
  };
}

/** Prefers a real gateway. Accounts where no money moves are useful only where such cards are. */
function chooseForAccounts(chosen: Gateway, configured: readonly Gateway[]): AccountGateway | null {
  const real = configured.find((gateway) => isRealGateway(gateway.name) && holdsAccounts(gateway));
  const found = real ?? (isRealGateway(chosen.name) ? null : chosen);
  return found !== null && holdsAccounts(found) ? found : null;
}

function holdsAccounts(gateway: Gateway): gateway is AccountGateway {
  return gateway.vaultAccount !== undefined;
}

function createMissingGateway(name: string, confirmations: Confirmations): ConfiguredGateway {
  const refuse = async (): Promise<never> => {
    throw new GatewayError('not_configured', `The gateway ${name} is not configured.`);
  };
  return {
    name,
    others: [],
    confirmations,
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
