import type { TString } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { lockInvoiceToCharge } from '../../billing/invoices/invoices.service.ts';
import type { GatewayDispute, GatewayDisputeMovement } from '../../gateways/gateway/gateway.disputes.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import { deriveId } from '../../platform/derive-id.ts';
import { invalidField } from '../../platform/errors.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { type CsvRow, writeCsvFile } from '../../platform/http/limits/csv-file.ts';
import { parseStart } from '../../platform/http/schema/instants.ts';
import { type Json, type JsonParts, withData } from '../../platform/http/schema/json.ts';
import { disputeEvents } from './disputes.events.ts';
import { type DisputeFilter, selectDisputes, selectDisputesAfter } from './disputes.operator.queries.ts';
import {
  type DisputeRow,
  insertDispute,
  insertMovement,
  selectDispute,
  selectDisputesOfPayment,
  touchDispute,
  updateDispute,
} from './disputes.queries.ts';
import type { Dispute, DisputeFileQuery, DisputeList, DisputeQuery } from './disputes.schema.ts';
import { nextCheckNumber } from './disputes.worker.queries.ts';

// Statements about payments include their disputes.

/** What a check saw of one payment of a dispute. `checkNumber` numbers the check. */
export type DisputeSnapshot = { found: GatewayDispute; checkNumber: string };
/** A snapshot that says what money of the payment moved. */
export type SnapshotWithMovements = {
  found: GatewayDispute & { movements: GatewayDisputeMovement[] };
  checkNumber: string;
};
/** The payment that the dispute is about, captured at the gateway that has the dispute. */
export type DisputedPayment = { companyId: string; id: string; invoiceId: string; gateway: string };

const ROWS_AT_ONCE = 200;
const ENDED: ReadonlySet<string> = new Set(['won', 'lost', 'closed']);

/**
 * Asks the gateway about a dispute: one snapshot for each payment, none when it does not know the dispute or has no disputes at all.
 * @throws GatewayError
 */
export async function takeDisputeSnapshots(
  db: Db,
  gateway: Gateway,
  gatewayDisputeId: string,
): Promise<DisputeSnapshot[]> {
  // The number is taken before the gateway is asked: a check with a later number sees no less than this one.
  const checkNumber = await nextCheckNumber(db);
  const disputes = (await gateway.findDispute?.(gatewayDisputeId)) ?? [];
  return disputes.map((found) => ({ found, checkNumber }));
}

/** Whether the gateway says what money of the payment moved. */
export function hasMovements(snapshot: DisputeSnapshot): snapshot is SnapshotWithMovements {
  return snapshot.found.movements !== null;
}

/**
 * Writes a dispute as the gateway showed it, with the money that moved, in one transaction; the database posts the movements to the
 * ledger. However often and in whatever order this happens, each movement counts once, and the latest check decides the dispute's state.
 * @returns whether anything changed
 */
export async function settleDispute(
  db: Db,
  payment: DisputedPayment,
  snapshot: SnapshotWithMovements,
): Promise<boolean> {
  return transaction(db, (tx) => recordDispute(tx, payment, snapshot));
}

/** The same inside an open transaction. */
export async function recordDispute(
  tx: Tx,
  payment: DisputedPayment,
  snapshot: SnapshotWithMovements,
): Promise<boolean> {
  const { companyId, id: paymentId, invoiceId, gateway } = payment;
  const { found } = snapshot;
  const key = { gateway, gatewayDisputeId: found.id, paymentId };
  // A refund takes the same lock, so that a refund and a withdrawal never overlook each other.
  await lockInvoiceToCharge(tx, companyId, invoiceId);
  const before = await selectDispute(tx, companyId, key);
  const id = before?.id ?? deriveId(`dispute:${companyId}:${paymentId}:${gateway}:${found.id}`, found.createdAt);
  await writeDispute(tx, payment, snapshot, { id, isNew: before === null });
  const after = await selectDispute(tx, companyId, key);
  if (after === null || !hasChanged(before, after)) return false;
  if (before !== null) await touchDispute(tx, companyId, id);
  await recordEvents(tx, companyId, before, (await selectDispute(tx, companyId, key)) ?? after);
  return true;
}

async function writeDispute(
  tx: Tx,
  { companyId, id: paymentId, invoiceId, gateway }: DisputedPayment,
  { found, checkNumber }: SnapshotWithMovements,
  { id, isNew }: { id: string; isNew: boolean },
): Promise<void> {
  const { status: state, amountMinor, reason, currency, createdAt: openedAt } = found;
  const update = { id, state, amountMinor, reason, checkNumber };
  if (isNew) {
    const key = { paymentId, invoiceId, gateway, gatewayDisputeId: found.id };
    await insertDispute(tx, companyId, { ...update, ...key, currency, openedAt });
  } else {
    await updateDispute(tx, companyId, update);
  }
  for (const movement of found.movements) {
    const isTaken = movement.amountMinor > 0n;
    await insertMovement(tx, companyId, {
      id: uuidv7(),
      disputeId: id,
      kind: isTaken ? 'withdrawn' : 'reinstated',
      amountMinor: isTaken ? movement.amountMinor : -movement.amountMinor,
      gatewayMovementId: movement.id,
    });
  }
}

function hasChanged(before: DisputeRow | null, after: DisputeRow): boolean {
  return (
    before === null ||
    before.state !== after.state ||
    before.amountMinor !== after.amountMinor ||
    before.withdrawnMinor !== after.withdrawnMinor ||
    before.reason !== after.reason
  );
}

async function recordEvents(tx: Tx, companyId: string, before: DisputeRow | null, after: DisputeRow): Promise<void> {
  const isClosed = ENDED.has(after.state) && !ENDED.has(before?.state ?? '');
  const { id, json: data } = after;
  if (before === null) await disputeEvents.record(tx, companyId, { type: 'dispute.created', data, subject: { id } });
  if (isClosed) await disputeEvents.record(tx, companyId, { type: 'dispute.closed', data });
  else if (before !== null) await disputeEvents.record(tx, companyId, { type: 'dispute.updated', data });
}

/** Reads the dispute with this id at the gateway, as JSON text; null when the books lack it. */
export async function readDispute(
  db: Queryable,
  companyId: string,
  key: { gateway: string; gatewayDisputeId: string; paymentId: string },
): Promise<Json<typeof Dispute> | null> {
  return (await selectDispute(db, companyId, key))?.json ?? null;
}

/** Checks every known dispute of a payment again. @returns whether anything changed @throws GatewayError */
export async function refreshDisputes(
  db: Db,
  gateway: Gateway,
  payment: DisputedPayment & { gatewayPaymentId: string },
): Promise<boolean> {
  let changed = false;
  for (const { gatewayDisputeId } of await selectDisputesOfPayment(db, payment.companyId, payment.id)) {
    for (const snapshot of await takeDisputeSnapshots(db, gateway, gatewayDisputeId)) {
      if (snapshot.found.gatewayPaymentId !== payment.gatewayPaymentId || !hasMovements(snapshot)) continue;
      if (await settleDispute(db, payment, snapshot)) changed = true;
    }
  }
  return changed;
}

const STATE_OF = {
  NeedsResponse: 'needs_response',
  UnderReview: 'under_review',
  Won: 'won',
  Lost: 'lost',
  Closed: 'closed',
} as const satisfies Record<NonNullable<DisputeQuery['status']>, string>;

/** Reads a page of disputes, the newest first, as JSON text. */
export async function listDisputes(
  db: Queryable,
  { page, perPage, ...query }: DisputeQuery,
): Promise<Json<typeof DisputeList>> {
  const { total, data } = await selectDisputes(db, readFilter(query), { limit: perPage, offset: (page - 1) * perPage });
  return withData({ total: Number(total), page, perPage }, data);
}

/** All matching disputes as a CSV file in parts, the newest first. @throws ApiError 400 */
export function writeDisputes(db: Queryable, query: DisputeFileQuery, externalIds: ExternalIds): JsonParts<TString> {
  const filter = readFilter(query);
  const columns = [
    ...['openedAt', 'id', 'companyId', 'companyExternalId', 'companyName', 'invoiceId', 'invoiceNumber', 'paymentId'],
    ...['gateway', 'gatewayDisputeId', 'status', 'reason', 'currency', 'amount', 'withdrawnAmount', 'updatedAt'],
  ];
  const readAfter = async (last: (CsvRow & { id: string }) | null): Promise<(CsvRow & { id: string })[]> =>
    JSON.parse(await selectDisputesAfter(db, filter, { after: last?.id ?? null, limit: ROWS_AT_ONCE }));
  return writeCsvFile({ columns, readAfter, externalIds });
}

function readFilter({ status, companyId, currency, from, to }: DisputeFileQuery): DisputeFilter {
  const filter = {
    companyId: companyId ?? null,
    state: status === undefined ? null : STATE_OF[status],
    currency: currency ?? null,
    from: parseStart(from),
    to: parseStart(to),
  };
  if (filter.from !== null && filter.to !== null && filter.from > filter.to)
    throw invalidField('from', 'must not be after to');
  return filter;
}
