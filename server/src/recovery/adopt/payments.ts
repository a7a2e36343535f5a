import { validate as isUuid } from 'uuid';
import { isDocumentNumber, recordLostNumber } from '../../billing/numbering/numbering.service.ts';
import { rebuildInvoice } from '../../billing/restore/rebuild.service.ts';
import {
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type GatewayPaymentObject,
} from '../../gateways/gateway/gateway.ts';
import { onlyMethodOf } from '../../gateways/gateways.ts';
import {
  adoptCapture,
  adoptRunningDebit,
  type CaptureToAdopt,
  cancelForRecovery,
  closeRunningPayment,
  observeAdopted,
  observeAdoptedDebit,
} from '../../payments/adopt/adopt.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { formatDecimal, parseDecimal, toDecimal } from '../../platform/money/decimal.ts';
import { fromMinor, toMinor } from '../../platform/money/money.ts';
import { type RecoveryCase, readObject } from '../marks/cases.ts';
import { lockCases, selectUnallocated } from '../unallocated/unallocated.operator.queries.ts';
import { bookBegun, bookRefunded } from '../unallocated/unallocated.ts';
import { type AdoptDependencies, conclude, type Decision } from './decide.ts';
import * as notes from './notes.ts';
import { type OwnerRow, selectOwner } from './objects.operator.queries.ts';

/** What the object of a payment was made for. */
type Owner = OwnerRow & { companyId: string };

/**
 * Brings a payment's object into the books. First the gateway is asked how it is now. One that is open is canceled, so that nothing
 * captures it later; one that is captured pays its invoice, which is written again if it is lost too; a debit on its way, which can't be
 * canceled, runs again. It can be repeated, whatever crashed in between.
 * @param companyId - the company that gets it @throws GatewayError when the gateway gives no answer: the case stays as it is
 */
export async function adoptPayment(
  dependencies: Pick<AdoptDependencies, 'db' | 'gateways'>,
  found: RecoveryCase,
  companyId: string = found.companyId,
): Promise<Decision> {
  const { gateway, id } = placeOf(dependencies, found);
  const object = readPayment(found);
  const now = await closeObject(gateway, object);
  if (now?.status === 'processing') return adoptDebit(dependencies, found, companyId, object);
  if (now?.status !== 'captured') return conclude(dependencies, found, async () => notes.notCaptured(now, object));
  const refunds = await gateway.listRefundsOf(id);
  const refundedMinor = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const capture: CaptureToAdopt = { ...object, ...now, status: 'captured', refundedMinor, refunds };

  const owner = await findOwner(dependencies.db, companyId, object);
  if (owner.invoice !== null) {
    await closeRunningPayment(dependencies, { companyId, invoiceId: owner.invoice.id }, { gateway: gateway.name, id });
  }
  // Refunds come after the credit notes that they returned: as cases of their own, or at the end.
  const booking = { ...capture, refunds: [] };
  const book = async (tx: Tx) => {
    await lockCases(tx, gateway.name, id);
    const unallocated = await selectUnallocated(tx, gateway.name, id);
    if (unallocated !== null && unallocated.refundId !== null) {
      const made = await bookBegun(tx, unallocated, refunds);
      return made === null ? notes.refundBegun(capture) : notes.refundMade(made);
    }
    const current = await findOwner(tx, companyId, object);
    const decision = current.isCompanyHere
      ? await bookCapture(tx, gateway.name, current, { object, capture: booking })
      : notes.noCompany(companyId, capture);
    await bookRefunded(tx, gateway.name, capture);
    return decision;
  };
  const isLeft = ({ state }: Decision) => state === 'person';
  return observeAdopted(object, capture, () => conclude(dependencies, found, book), isLeft);
}

/** The gateway of a case, and the object's id there. */
export function placeOf(
  { gateways }: Pick<AdoptDependencies, 'gateways'>,
  found: RecoveryCase,
): { gateway: Gateway; id: string } {
  const { gateway, objectId } = found;
  if (gateway === null || objectId === null) throw new RangeError('The case of an object names its gateway.');
  return { gateway: gateways.of(gateway), id: objectId };
}

/** Reads the payment of a case as the gateway listed it. Its details never change; its state may have. */
export function readPayment({ content }: RecoveryCase): GatewayPaymentObject {
  const object = content === null ? null : readObject(content);
  if (object?.kind !== 'payment') throw new RangeError('The case of a payment has its object.');
  return object;
}

/** Cancels an object that is open. @returns the object as it is then; null when the gateway has none */
async function closeObject(gateway: Gateway, object: GatewayPaymentObject): Promise<GatewayPayment | null> {
  const found = await gateway.findPayment(object.id);
  if (found === null || hasEnded(found)) return found;
  const closed = await cancelForRecovery(gateway, object);
  if (hasEnded(closed)) return closed;
  throw new GatewayError('outcome_unknown', 'The gateway has not canceled this payment yet.');
}

/** Whether nothing of it can or need be canceled. */
function hasEnded({ status }: GatewayPayment): boolean {
  return status === 'captured' || status === 'canceled' || status === 'processing';
}

/** The hold need not wait for the debit: its payment runs again, and ends as the gateway says, days later. @throws GatewayError */
async function adoptDebit(
  dependencies: Pick<AdoptDependencies, 'db' | 'gateways'>,
  found: RecoveryCase,
  companyId: string,
  object: GatewayPaymentObject,
): Promise<Decision> {
  const { gateway, id } = placeOf(dependencies, found);
  const { amountMinor: capturedAmountMinor, currency: capturedCurrency } = object;
  const asTaken = { ...object, status: 'captured' as const, capturedAmountMinor, capturedCurrency, refunds: [] };
  const owner = await findOwner(dependencies.db, companyId, object);
  if (owner.invoice !== null)
    await closeRunningPayment(dependencies, { companyId, invoiceId: owner.invoice.id }, { gateway: gateway.name, id });
  const run = async (tx: Tx) => {
    await lockCases(tx, gateway.name, id);
    const current = await findOwner(tx, companyId, object);
    if (!current.isCompanyHere) return notes.noCompanyOfDebit(companyId, object);
    const invoice =
      current.invoice === null
        ? await restoreLostInvoice(tx, gateway.name, current, { object, capture: asTaken })
        : { ...current.invoice, remark: null };
    if ('state' in invoice) return invoice;
    const state = await adoptRunningDebit(tx, gateway.name, { companyId, invoiceId: invoice.id }, object);
    return notes.debitRuns(state, invoice, object);
  };
  const isLeft = ({ state }: Decision) => state === 'person';
  return observeAdoptedDebit(object, () => conclude(dependencies, found, run), isLeft);
}

/** What is here of the debt that the object was made for. */
export async function findOwner(
  db: Queryable,
  companyId: string,
  { debt, details: { invoiceId, sourceId } }: GatewayPaymentObject,
): Promise<Owner> {
  const ids = { invoiceId: uuidOf(invoiceId), sourceId: uuidOf(sourceId) };
  return { companyId, ...(await selectOwner(db, companyId, { debt, ...ids })) };
}

function uuidOf(text: string | undefined): string | null {
  return text !== undefined && isUuid(text) ? text.toLowerCase() : null;
}

/** The object as the gateway listed it, and what it is now. */
type Captured = { object: GatewayPaymentObject; capture: CaptureToAdopt };

/** `remark`: what a person should compare; null mostly. */
type Invoice = { id: string; number: string; remark: string | null };

async function bookCapture(tx: Tx, gateway: string, owner: Owner, captured: Captured): Promise<Decision> {
  const { companyId } = owner;
  const { object, capture } = captured;
  const here = owner.invoice === null ? null : { ...owner.invoice, remark: null };
  const invoice = here ?? (await restoreLostInvoice(tx, gateway, owner, captured));
  if ('state' in invoice) return invoice;
  const adopted = await adoptCapture(tx, gateway, { companyId, invoiceId: invoice.id }, capture);
  const { invoiceNumber } = object.details;
  if (invoiceNumber !== undefined && isDocumentNumber(invoiceNumber) && invoiceNumber !== invoice.number) {
    const reason = `Superseded by ${invoice.number}, for the same debt.`;
    await recordLostNumber(tx, companyId, { type: 'invoice', number: invoiceNumber, ...totalOf(captured), reason });
  }
  return notes.booked(adopted, { invoice, capture });
}

/** Writes the invoice again from what its object says. @returns the decision if that says too little */
async function restoreLostInvoice(
  tx: Tx,
  gateway: string,
  { companyId, method }: Owner,
  captured: Captured,
): Promise<Invoice | Decision> {
  const { object, capture } = captured;
  const { invoiceNumber, taxRate = null, usage = null } = object.details;
  const invoiceId = uuidOf(object.details.invoiceId);
  const { debt } = object;
  if (debt === null || invoiceId === null || invoiceNumber === undefined || !isDocumentNumber(invoiceNumber)) {
    return notes.noInvoice('The object at the gateway does not say enough about its invoice.', companyId, captured);
  }
  const { total, currency } = totalOf(captured);
  const restored = await rebuildInvoice(tx, companyId, {
    ...{ id: invoiceId, number: invoiceNumber, debt, currency, taxRate, usage },
    totalMinor: toMinor(toDecimal(total), currency),
    method: onlyMethodOf(gateway) ?? method,
    issuedAt: capture.createdAt,
  });
  if (restored.outcome === 'superseded') return { ...restored.by, remark: null };
  const { invoice } = await findOwner(tx, companyId, object);
  if (invoice !== null) return { ...invoice, remark: restored.outcome === 'restored' ? restored.note : null };
  const reason =
    restored.outcome === 'impossible' ? restored.reason : 'The invoice of this payment cannot be written again.';
  return notes.noInvoice(reason, companyId, captured);
}

/** The invoice's total in major units. An object that does not say it was for all of it, beside the credit. */
function totalOf({ object, capture }: Captured): { total: string; currency: string } {
  const { total, creditMinor } = object.details;
  const { capturedAmountMinor, capturedCurrency } = capture;
  const currency = capturedCurrency ?? object.currency;
  if (total !== undefined && parseDecimal(total) !== null) return { total, currency };
  const takenMinor = (capturedAmountMinor ?? 0n) + BigInt(/^\d{1,18}$/.exec(creditMinor ?? '')?.[0] ?? 0);
  return { total: formatDecimal(fromMinor(takenMinor, currency)), currency };
}
