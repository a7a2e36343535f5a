/** The disputes of the sandbox gateway: debits whose holders have taken their money back. */
import type { SendGatewayRequest } from '../gateway/gateway.connection.ts';
import type { GatewayDispute } from '../gateway/gateway.disputes.ts';
import type { GatewayBookPage, GatewayBookRequest } from '../gateway/gateway.ts';
import { type DisputeOnTheWire, DisputePage } from './bank/bank.schema.ts';
import { read, writeBookQuery } from './sandbox.answers.ts';

/** Reads a page of the disputes that began in this interval. @throws GatewayError */
export async function listDisputes(
  send: SendGatewayRequest,
  request: GatewayBookRequest,
): Promise<GatewayBookPage<GatewayDispute>> {
  const path = `/disputes?${writeBookQuery(request)}`;
  const { entries, nextCursor } = read(DisputePage, await send({ method: 'GET', path }));
  return { entries: entries.map(toDispute), nextCursor };
}

/** Reads a dispute; none for an unknown one. @throws GatewayError */
export async function findDispute(send: SendGatewayRequest, id: string): Promise<GatewayDispute[]> {
  const path = `/disputes/${encodeURIComponent(id)}`;
  return read(DisputePage, await send({ method: 'GET', path })).entries.map(toDispute);
}

/** The holder of an account gets the money of a debit back without a reason, so the dispute is lost as it begins. */
function toDispute({ id, gatewayPaymentId, currency, ...dispute }: DisputeOnTheWire): GatewayDispute {
  const [amountMinor, createdAt] = [BigInt(dispute.amountMinor), new Date(dispute.createdAt)];
  const movements = [{ id: `${id}_withdrawn`, amountMinor, createdAt }];
  const reason = 'debit_not_authorized';
  return { id, gatewayPaymentId, status: 'lost', amountMinor, currency, reason, movements, createdAt };
}
