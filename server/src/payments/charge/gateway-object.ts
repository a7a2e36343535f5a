import {
  type ConfirmRequest,
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type PaymentRequest,
} from '../../gateways/gateway/gateway.ts';
import { type ConfiguredGateway, findEntry } from '../../gateways/gateways.ts';
import { type Db, type Queryable, violatedConstraint } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { observed } from '../../platform/steps.ts';
import { adoptCaptures } from '../adopt/adopt.ts';
import { type Adopted, adoptFromOthers } from '../adopt/lost-captures.ts';
import { askForDebt, cancelObject, type Debt, type DebtAnswer, keyOf, readDebt, toOutcome } from '../debt/debt.ts';
import { markSending } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import type { Continued, Question } from './outcome.ts';

/**
 * How long after the gateway was asked for the debt an object may be created. Within that time the gateway forgets no key, whoever
 * created an object with it. The call itself is given up after its timeout, so it has been sent within half a minute.
 */
const CREATE_WINDOW_MS = 10_000;
const CREATE_TIMEOUT_MS = 20_000;
/** If other gateways took longer to answer, the payment's own is asked again. */
const FRESH_MS = 2_000;
/**
 * How long after it was seen to be open an object may be confirmed. A process that was suspended for longer must not confirm what another
 * one has ended in the meantime (decision 18). One short transaction lies between the two steps.
 */
const CONFIRM_WINDOW_MS = 30_000;
/** After so many checks a create that never gets an answer may have an error stored under its key at the gateway. */
const CHECKS_BEFORE_NEW_KEY = 2;

/**
 * An object that the payment has recorded, the key that confirms it, and when it was seen open, on the monotonic clock. `returnUrl` is
 * where the bank sends the customer back; it is read when it is not given.
 */
export type RecordedObject = { id: string; confirmKey: string; seenAtMs: number; returnUrl?: string };

/**
 * Asks for the debt, at other gateways too; G1: creates an object at the gateway, which moves no money; T2: records its id.
 * @throws GatewayError; ApiError charges_held, after which a later call cancels the object and makes another one
 */
export async function createAtGateway(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { debt, firstDebtAnswer: early }: Question,
): Promise<{ kind: 'recorded'; object: RecordedObject } | Adopted | Continued> {
  const begunAtMs = performance.now();
  const fromOthers = await adoptFromOthers(db, gateway, payment);
  if (fromOthers !== null) return fromOthers;
  const firstDebtAnswer = performance.now() < begunAtMs + FRESH_MS ? early : undefined;
  const answer = await askForDebt(gateway, payment, debt, { firstDebtAnswer });
  failpoint('after_asking');
  if (answer.captures.length > 0) {
    await adoptCaptures(db, gateway, payment, answer.captures);
    return { kind: 'adopted' };
  }
  const { nextSequence: sequence } = answer;
  let gatewayPaymentId: string;
  try {
    ({ id: gatewayPaymentId } = await createObject(gateway, payment, debt, answer));
  } catch (error) {
    const moreIsKnown = withExisting(debt, error);
    if (moreIsKnown === null) throw error;
    return createAtGateway(db, gateway, payment, { debt: moreIsKnown });
  }
  const seenAtMs = performance.now();
  failpoint('after_gateway_create');
  try {
    const step = { step: 'T2', payment: payment.id, object: gatewayPaymentId } as const;
    const send = () => markSending(db, payment.companyId, payment.id, { gatewayPaymentId, sequence });
    if (!(await observed(step, send, (outcome) => ({ outcome })))) return { kind: 'continued' };
  } catch (error) {
    if (violatedConstraint(error) !== 'payments_gateway_object_taken') throw error;
    throw new GatewayError('outcome_unknown', 'The gateway answered with the object of another payment.');
  }
  failpoint('after_sending');
  const confirmKey = keyOf(debt.request.debt, sequence, 'confirm');
  return { kind: 'recorded', object: { id: gatewayPaymentId, confirmKey, seenAtMs } };
}

/**
 * Handles a key that already belongs to an object that the books lack and the gateway does not list. From now on that object is asked
 * for, so that it is adopted or canceled, and the next key becomes free. Null when the object is known already.
 */
function withExisting({ request, details }: Debt, error: unknown): Debt | null {
  if (!(error instanceof GatewayError) || error.existingPaymentId === null) return null;
  const { existingPaymentId: gatewayPaymentId } = error;
  if (request.known.some((known) => known.gatewayPaymentId === gatewayPaymentId)) return null;
  return { request: { ...request, known: [...request.known, { gatewayPaymentId, reference: '' }] }, details };
}

/** @throws GatewayError */
async function createObject(
  gateway: Gateway,
  payment: Payment,
  { request: { debt }, details }: Debt,
  { nextSequence: sequence, askedAtMs, capturesRefunded }: DebtAnswer,
): Promise<GatewayPayment> {
  if (performance.now() > askedAtMs + CREATE_WINDOW_MS) {
    throw new GatewayError(
      'outcome_unknown',
      'This process was suspended for too long after it asked the gateway about the debt.',
    );
  }
  const { id: reference, amountMinor, currency, gatewayToken } = payment;
  const request: Omit<PaymentRequest, 'idempotencyKey'> = {
    ...{ amountMinor, currency, sourceToken: gatewayToken ?? '', reference },
    ...{ debt, sequence, details, timeoutMs: CREATE_TIMEOUT_MS },
    ...(capturesRefunded > 0 ? { capturesRefunded } : {}),
  };
  const create = (idempotencyKey: string, step: 'create' | 'skip' = 'create') =>
    observed(
      { step, debt, payment: reference, sequence },
      () => gateway.createPayment({ ...request, idempotencyKey }),
      ({ id: object }) => ({ object }),
    );
  try {
    return await create(keyOf(debt, sequence, 'create'));
  } catch (error) {
    const isKept = error instanceof GatewayError && error.kind === 'outcome_unknown';
    if (!isKept || payment.reconcileCount < CHECKS_BEFORE_NEW_KEY) throw error;
    // Gateways store an error under the key that caused it, for up to a day. Where a gateway captures a debt only once, a second object
    // is safe.
    if (findEntry(gateway.name)?.capturesDebtsOnce) {
      return create(keyOf(debt, sequence, `create-${payment.reconcileCount}`));
    }
    // Elsewhere an object that takes this number, which the next check cancels, makes every process use the next key.
    await create(keyOf(debt, sequence, 'skip'), 'skip');
    throw error;
  }
}

/** Returns the key that confirms the object that the payment has recorded. */
export async function confirmKeyOf(db: Db, payment: Payment): Promise<string> {
  if (payment.sequence === null) return `${payment.id}-confirm`;
  const { request } = await readDebt(db, payment);
  return keyOf(request.debt, payment.sequence, 'confirm');
}

/** Where the bank sends the customer back, the page of the invoice; empty when nobody is there. */
export async function returnUrlOf(
  db: Queryable,
  { confirmations }: ConfiguredGateway,
  { companyId, invoiceId, isOnSession }: Pick<Payment, 'companyId' | 'invoiceId' | 'isOnSession'>,
): Promise<string> {
  return isOnSession ? confirmations.pageOf(db, companyId, invoiceId) : '';
}

/**
 * G2: moves the money, once. A gateway that refuses to confirm an object would refuse it again, so the object is canceled, and nothing
 * can capture it later. Sends nothing when too much time has passed since the object was seen.
 * @throws GatewayError
 */
export async function confirmAtGateway(
  db: Db,
  gateway: ConfiguredGateway,
  payment: Payment,
  { id: gatewayPaymentId, confirmKey: idempotencyKey, seenAtMs, ...given }: RecordedObject,
): Promise<GatewayPayment> {
  const { gatewayToken, isOnSession } = payment;
  const returnUrl = given.returnUrl ?? (await returnUrlOf(db, gateway, payment));
  if (performance.now() > seenAtMs + CONFIRM_WINDOW_MS) {
    throw new GatewayError('outcome_unknown', 'This process was suspended for too long to confirm the payment safely.');
  }
  const request: ConfirmRequest = {
    ...{ gatewayPaymentId, idempotencyKey, sourceToken: gatewayToken ?? '' },
    ...{ session: isOnSession ? 'on' : 'off', returnUrl },
  };
  const step = { step: 'confirm', payment: payment.id, object: gatewayPaymentId } as const;
  const answer = await observed(step, () => gateway.confirmPayment(request), toOutcome).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === 'rejected')
      return cancelObject(gateway, payment, gatewayPaymentId);
    throw error;
  });
  failpoint('after_confirm');
  return answer;
}
