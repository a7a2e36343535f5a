import type { GatewayDispute, GatewayDisputeId } from '../../gateways/gateway/gateway.disputes.ts';
import type { Gateway, GatewayBookPage, GatewayBookRequest } from '../../gateways/gateway/gateway.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { compare, describe } from './ledger.differences.ts';
import { type BookedRow, selectDisputesAt } from './ledger.reconciliation.operator.queries.ts';
import type { Difference } from './ledger.reconciliation.schema.ts';

/** How many disputes are read at once from a gateway whose list contains only ids. */
const READ_AT_ONCE = 5;

type Listed = GatewayDispute | GatewayDisputeId;

/** A page of the gateway's disputes; empty for a gateway that has none. @throws GatewayError */
export async function listDisputes(gateway: Gateway, request: GatewayBookRequest): Promise<GatewayBookPage<Listed>> {
  return (await gateway.listDisputes?.(request)) ?? { entries: [], nextCursor: null };
}

/**
 * Compares a page of the gateway's disputes with ours: the withdrawn amount and the state for each payment. A dispute
 * about no payment of ours is skipped. @throws GatewayError
 */
export async function compareDisputes(db: Queryable, gateway: Gateway, listed: Listed[]): Promise<Difference[]> {
  const disputes = await readDisputes(gateway, listed);
  const rows = await selectDisputesAt(db, gateway.name, JSON.stringify(listed.map(({ id }) => id)));
  const ours = new Map(rows.map((row) => [`${row.gatewayId} ${row.gatewayPaymentId}`, row]));
  const differences = disputes.flatMap((dispute) => {
    const key = `${dispute.id} ${dispute.gatewayPaymentId}`;
    const our = ours.get(key);
    ours.delete(key);
    return compareDispute(dispute, our);
  });
  return [...differences, ...[...ours.values()].map((our) => describe('missing_there', 'dispute', { our }))];
}

/** Compares one of our disputes with what the gateway answers about it. @throws GatewayError */
export async function checkDispute(gateway: Gateway, our: BookedRow): Promise<Difference[]> {
  const disputes = (await gateway.findDispute?.(our.gatewayId ?? '')) ?? [];
  const dispute = disputes.find(({ gatewayPaymentId }) => gatewayPaymentId === our.gatewayPaymentId);
  return dispute === undefined ? [describe('missing_there', 'dispute', { our })] : compareDispute(dispute, our);
}

async function readDisputes(gateway: Gateway, listed: Listed[]): Promise<GatewayDispute[]> {
  const read = async (one: Listed) => ('movements' in one ? [one] : ((await gateway.findDispute?.(one.id)) ?? []));
  const disputes: GatewayDispute[] = [];
  for (let index = 0; index < listed.length; index += READ_AT_ONCE) {
    disputes.push(...(await Promise.all(listed.slice(index, index + READ_AT_ONCE).map(read))).flat());
  }
  return disputes;
}

/**
 * When the gateway does not divide a dispute's money among its payments, the whole disputed amount is shown and never
 * counts as equal.
 */
function compareDispute(dispute: GatewayDispute, our: BookedRow | undefined): Difference[] {
  const { id: gatewayId, gatewayPaymentId, currency, status: done, movements } = dispute;
  if (movements === null) {
    const there = { gatewayId, gatewayPaymentId, amountMinor: dispute.amountMinor, currency, done };
    return [describe(our === undefined ? 'missing_here' : 'amount', 'dispute', { there, ...(our ? { our } : {}) })];
  }
  const amountMinor = movements.reduce((sum, movement) => sum + movement.amountMinor, 0n);
  return compare('dispute', { gatewayId, gatewayPaymentId, amountMinor, currency, done }, our);
}
