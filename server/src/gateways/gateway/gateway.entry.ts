import type { Config } from '../../platform/config/config.ts';
import type { DeclaredGateway } from '../../platform/config/gateway-settings.ts';
import type { Gateway } from './gateway.ts';

/** What the API reference says of a gateway's webhook, `POST /gateways/{name}/webhooks`. */
export type GatewayWebhook = { operationId: string; summary: string; description: string };

/** Where a gateway is opened: what closes it goes into `undo`. */
export type OpeningContext = {
  config: Pick<Config, 'role' | 'dataDirectory' | 'gatewayTimeoutMs'>;
  undo: AsyncDisposableStack;
};

/**
 * All that a gateway adds to the service. `gateways.ts` lists the entries; the configuration, the routes for gateway events, the rules that
 * depend on the gateway and the contract test are made from that list.
 */
export type GatewayEntry<Settings extends object = object> = DeclaredGateway<Settings> & {
  /** Whether real money moves. Test card numbers are shared by everybody, and documents are samples. */
  isReal: boolean;
  /** Whether the gateway itself captures a debt only once, whatever objects there are, and does not list them. */
  capturesDebtsOnce: boolean;
  /** Whether its payments can be disputed. */
  hasDisputes: boolean;
  /** Decline codes of its own after which a card or account is never charged again, beside those that all gateways share. */
  hardDeclines: readonly string[];
  /** How the API reference describes the gateway's ids, as in "`pi_…` at Stripe". */
  idForms?: { payment: string; dispute: string };
  /** The variable without which the adapter has no fields, in which a holder types the number of a card. */
  fieldsVariable?: string;
  /** Absent for gateways that send no gateway events. */
  webhook?: GatewayWebhook;
  /**
   * Opens its adapter. Large packages are imported only here, so that they are loaded only if they are needed.
   * @throws StartError
   */
  open(settings: Settings, context: OpeningContext): Promise<Gateway>;
};
