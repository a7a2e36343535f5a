import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { OPEN_INVOICES } from '../hold/lost-journal.worker.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { acceptCapture } from './accept.ts';
import { refundCapture } from './refund.ts';
import { releaseInvoices } from './release.ts';
import { selectCase } from './resolve.operator.queries.ts';
import type { CaseResolution, Outcome, ResolveCaseBody } from './resolve.schema.ts';

export type ResolveDependencies = { db: Db; gateways: Gateways };

type Decision = {
  isFor: (found: RecoveryCase) => boolean;
  carryOut: (
    given: ResolveDependencies,
    found: RecoveryCase,
    asked: ResolveCaseBody & { actor: Actor },
  ) => Promise<Partial<CaseResolution>>;
};

const isCapture = ({ source, kind }: RecoveryCase) => source === 'gateway' && kind === 'payment';
const captureOf = ({ gateway, objectId }: RecoveryCase, { actor }: { actor: Actor }) => ({
  ...{ gateway: gateway ?? '', gatewayPaymentId: objectId ?? '', actor },
});

/** What a person may decide, about which cases, and what is done then. */
const DECISIONS: Readonly<Record<Outcome, Decision>> = {
  accepted: { isFor: isCapture, carryOut: (given, found, asked) => acceptCapture(given, captureOf(found, asked)) },
  refunded: { isFor: isCapture, carryOut: (given, found, asked) => refundCapture(given, captureOf(found, asked)) },
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
