import { recordAudit } from '../../audit/audit.service.ts';
import { type Db, type Queryable, transaction } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { countWaiting, endOpenInvoices, OPEN_INVOICES } from '../hold/lost-journal.worker.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import type {
  CaseResolution,
  ResolveCaseBody,
  WaitingInvoiceList,
  WaitingInvoiceQuery,
} from '../schema/recovery.schema.ts';
import { acceptCapture, type ResolveDependencies, refundCapture } from './captures.ts';
import { releaseWaiting, selectCase, selectWaiting } from './resolve.operator.queries.ts';

type Decision = {
  isFor: (found: RecoveryCase) => boolean;
  carryOut: (
    given: ResolveDependencies,
    found: RecoveryCase,
    asked: ResolveCaseBody & { actor: Actor },
  ) => Promise<Partial<CaseResolution>>;
};

const ofCapture = (carryOut: typeof acceptCapture): Decision => ({
  isFor: ({ source, kind }) => source === 'gateway' && kind === 'payment',
  carryOut: (given, { gateway, objectId }, { actor }) =>
    carryOut(given, { gateway: gateway ?? '', gatewayPaymentId: objectId ?? '', actor }),
});

/** What a person may decide, about which cases, and what is done then. */
const DECISIONS: Readonly<Record<ResolveCaseBody['outcome'], Decision>> = {
  accepted: ofCapture(acceptCapture),
  refunded: ofCapture(refundCapture),
  released: {
    isFor: ({ kind }) => kind === OPEN_INVOICES,
    carryOut: ({ db }, _found, { invoices = null, actor }) => releaseInvoices(db, invoices, actor),
  },
};

const NOTHING: Omit<CaseResolution, 'outcome'> = {
  ...{ gateway: null, gatewayPaymentId: null, gatewayRefundId: null, amount: null, currency: null },
  ...{ companyId: null, invoiceId: null, paymentId: null, released: 0, unknown: [] },
};

/**
 * Carries out what a person decides about a case. It can be repeated.
 * @throws ApiError 400, not_found, and those of the decision
 */
export async function resolveCase(
  dependencies: ResolveDependencies,
  { caseId, ...asked }: ResolveCaseBody & { caseId: string; actor: Actor },
): Promise<CaseResolution> {
  const { outcome, invoices } = asked;
  if (invoices !== undefined && outcome !== 'released')
    throw invalidField('invoices', 'must be absent unless the outcome is released');
  const found = await selectCase(dependencies.db, caseId);
  if (found === null) throw notFound('case');
  const { isFor, carryOut } = DECISIONS[outcome];
  if (!isFor(found)) throw new ApiError('not_under_review', `A case of this kind cannot be ${outcome}.`);
  return { ...NOTHING, outcome, ...(await carryOut(dependencies, found, asked)) };
}

/** As many as one transaction changes in a fraction of the time that it may take. */
const INVOICES_A_BATCH = 5_000;

/** Reads a page of the open invoices that wait. */
export async function listWaiting(db: Queryable, { page, perPage }: WaitingInvoiceQuery): Promise<WaitingInvoiceList> {
  const { total, data } = await selectWaiting(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data };
}

/**
 * Lets invoices that wait be charged again: those with these numbers, or all of them. A repeat continues, and releases nothing twice.
 * @returns how many open ones were released, and the numbers that no waiting invoice has
 */
export async function releaseInvoices(
  db: Db,
  given: readonly string[] | null,
  actor: Actor,
  batch = INVOICES_A_BATCH,
): Promise<{ released: number; unknown: string[] }> {
  const numbers = given?.map((number) => number.toUpperCase()) ?? null;
  const found = new Set<string>();
  let released = 0;
  for (let count = batch; count === batch; ) {
    const waiting = await transaction(db, (tx) => releaseWaiting(tx, numbers, batch));
    count = waiting.length;
    released += waiting.filter(({ isOpen }) => isOpen).length;
    for (const { number } of waiting) found.add(number);
  }
  const unknown = [...new Set(numbers)].filter((number) => !found.has(number));
  await transaction(db, async (tx) => {
    if ((await countWaiting(tx)) === 0) await endOpenInvoices(tx);
    const changes = { before: {}, after: { released, unknown } };
    const entry = { actor, action: 'recovery.released' as const, target: null, changes };
    await recordAudit(tx, null, { audience: 'operator', ...entry });
  });
  return { released, unknown };
}
