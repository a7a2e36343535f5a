import type { Logger } from 'pino';
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

/** Warns where the gateway that takes new cards could have fields of its own, and is not configured for them. */
export function warnOfMissingFields(
  { name, fields }: Pick<Gateway, 'name' | 'fields'>,
  log: Pick<Logger, 'warn'>,
): void {
  const variable = GATEWAYS.find((entry) => entry.name === name)?.fieldsVariable;
  if (fields !== undefined || variable === undefined) return;
  log.warn({ gateway: name }, `${variable} is not set: no card setups, so cards are saved by their numbers alone`);
}

function inOrder(chosen: string): GatewayEntry[] {
  const [first, others] = [
    GATEWAYS.filter(({ name }) => name === chosen),
    GATEWAYS.filter(({ name }) => name !== chosen),
  ];
  return [...first, ...others.sort((one, other) => (one.name < other.name ? -1 : 1))];
}
