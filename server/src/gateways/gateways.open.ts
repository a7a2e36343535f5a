import type { Config } from '../platform/config/config.ts';
import type { GatewayEntry } from './gateway/gateway.entry.ts';
import type { Gateway } from './gateway/gateway.ts';
import { GATEWAYS } from './gateways.ts';

/**
 * Opens the gateway that takes new cards, and after it whichever others are used, by name: cards and payments stay with the gateway that
 * has them.
 * @throws StartError
 */
export async function openGateways(config: Config, undo: AsyncDisposableStack): Promise<[Gateway, ...Gateway[]]> {
  const [chosen, ...others] = await Promise.all(
    inOrder(config.gateway).flatMap((entry) => {
      const settings = config.gateways[entry.name];
      return settings === undefined ? [] : entry.open(settings, { config, undo });
    }),
  );
  if (chosen?.name !== config.gateway) throw new Error(`The gateway ${config.gateway} has no settings.`);
  return [chosen, ...others];
}

function inOrder(chosen: string): GatewayEntry[] {
  const [first, others] = [
    GATEWAYS.filter(({ name }) => name === chosen),
    GATEWAYS.filter(({ name }) => name !== chosen),
  ];
  return [...first, ...others.sort((one, other) => (one.name < other.name ? -1 : 1))];
}
