import { v7 as uuidv7 } from 'uuid';
import { auditParts, recordAudit } from '../../audit/audit.service.ts';
import { consumeCredit, creditToConsume } from '../../billing/credits/credits.service.ts';
import { lockInvoiceToCharge, reopenInvoice } from '../../billing/invoices/invoices.service.ts';
import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import {
  admit,
  type Requester,
  refuseIfLimited,
  runWhenAdmitted,
} from '../../methods/card-testing/card-testing.service.ts';
import type { OneOffCard } from '../../methods/one-off/one-off.service.ts';
import { type Db, sideBySide, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { toDecimal } from '../../platform/money/decimal.ts';
import { toMinor } from '../../platform/money/money.ts';
import { beginStep, endStep } from '../../platform/steps.ts';
import { type AskedGateways, adoptLostCaptures, findUnasked, type Unanswered } from '../adopt/lost-captures.ts';
import { type Debt, type DebtObjects, listObjects, readDebt } from '../debt/debt.ts';
import { mailReceipt } from '../mails/payment-mails.ts';
import { recordPaymentEvent } from '../payment/invoice-payments.service.ts';
import { recordPaymentMark } from '../payment/journaled.ts';
import { insertPayment, selectLivePayment } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { payWithCreditOnly } from '../settlement/credit-only.ts';
import { describeAsked } from './audited.ts';
import { returnUrlOf } from './gateway-object.ts';
import { selectAwaitsRelease } from './release.queries.ts';
import { findSource, type Source, sourceOfOneOff } from './source.ts';
import { isWaiting, tryToCancelWaiting } from './waiting.ts';

/**
 * The automatic collection has a number, a person is the asker and can confirm the charge at once, the operator has neither. `card` is
 * charged in place of a saved one.
 */
export type Initiator = {
  collectionAttempt: number | null;
  requester: Requester | null;
  actor: Actor;
  card: OneOffCard | null;
};

/** A payment whose intent is written. The gateway is asked for the debt while the intent commits. */
export type StartedPayment = {
  kind: 'started';
  payment: Payment;
  debt: Debt;
  firstDebtAnswer: Promise<DebtObjects>;
  /** Where the bank sends the customer back. */
  returnUrl: string;
};

/** Why no payment was started. */
export type NothingToCharge =
  /** The invoice is paid; perhaps with credit alone, just now. */
  { kind: 'paid' } | { kind: 'void' } | { kind: 'no_payment_method'; method: string } | Unanswered;

type Opened =
  | StartedPayment
  | { kind: 'running'; payment: Payment }
  /** A payment with the same card waits for the customer. */
  | { kind: 'waiting'; payment: Payment }
  | NothingToCharge;
/** A payment with another card waits for the customer, and is canceled first. */
type Replaced = { kind: 'replaced'; payment: Payment };
/** These gateways may have captured the debt before. */
type Unasked = { kind: 'unasked'; gateways: readonly Gateway[] };

type Dependencies = { db: Db; gateways: Gateways };
type Invoice = { companyId: string; invoiceId: string };

/**
 * T1: writes the intent to charge the invoice, with everything that will be charged, before the gateway gets any request. Gateways that may
 * have captured the debt before are asked for it first, and a payment that waits with another card is canceled first, both outside of the
 * transaction.
 * @throws ApiError charges_held, card_testing_suspected, payment_in_progress, payment_under_review, awaiting_release, service_unavailable,
 * not_found
 */
export async function openPayment(dependencies: Dependencies, invoice: Invoice, initiator: Initiator): Promise<Opened> {
  const { db, gateways } = dependencies;
  let asked: AskedGateways | null = null;
  for (;;) {
    const id = uuidv7();
    const intent = { ...invoice, id };
    const answers: AskedGateways | null = asked;
    beginStep(nameOfT1(id), { step: 'T1', payment: id });
    const opened = await runWhenAdmitted(db, () =>
      transaction(db, (tx) => writeIntent({ tx, gateways }, intent, initiator, answers)),
    );
    if (opened.kind === 'replaced') {
      const failure = await tryToCancelWaiting(db, gateways, opened.payment);
      if (failure !== null) return failure;
      continue;
    }
    if (opened.kind !== 'unasked') {
      failpoint('after_intent');
      if (opened.kind === 'started') endStep(nameOfT1(id));
      return opened;
    }
    const answer = await adoptLostCaptures(db, invoice, opened.gateways);
    if (answer.kind === 'unanswered') return answer;
    asked = answer;
  }
}

/** The name of T1 among the observed steps. */
function nameOfT1(id: string): string {
  return `intent ${id}`;
}

async function writeIntent(
  { tx, gateways }: { tx: Tx; gateways: Gateways },
  { companyId, invoiceId, id }: Invoice & { id: string },
  { collectionAttempt, requester, actor, card }: Initiator,
  asked: AskedGateways | null,
): Promise<Opened | Unasked | Replaced> {
  // The statements are sent together, and PostgreSQL runs them in order, so what is read after a lock holds under that lock.
  const [invoice, running] = await Promise.all([
    lockInvoiceToCharge(tx, companyId, invoiceId),
    selectLivePayment(tx, companyId, invoiceId),
    assertNotHeld(tx),
  ]);
  if (invoice.status === 'Succeeded') {
    await recordMark(tx, companyId, null);
    return { kind: 'paid' };
  }
  if (invoice.isVoided) return { kind: 'void' };
  if (running !== null && !isWaiting(running)) return { kind: 'running', payment: running };

  const { method, currency } = invoice;
  const dueMinor = toMinor(toDecimal(invoice.amountDue), currency);
  // A change of the default card or account, or of the credit, takes the same lock. So the choice always finds one default, and no two
  // payments take the same credit.
  const [, creditMinor, awaitsRelease, saved] = await Promise.all([
    lockCompany(tx, companyId),
    creditToConsume(tx, companyId, { dueMinor, currency }),
    selectAwaitsRelease(tx, companyId, invoiceId),
    card === null ? findSource(tx, companyId, invoice) : sourceOfOneOff(card),
  ]);
  if (awaitsRelease) throw new ApiError('awaiting_release', 'The operator has to release the invoice first.');
  if (running !== null) {
    if (isSameSource(running, saved)) return { kind: 'waiting', payment: running };
    const fingerprint = card?.fingerprint ?? null;
    if (requester !== null) await refuseIfLimited(tx, companyId, { ...saved, id, invoiceId, fingerprint }, requester);
    return { kind: 'replaced', payment: running };
  }
  const amountMinor = dueMinor - creditMinor;
  const isOnSession = requester !== null;
  const intent = { id, invoiceId, method, amountMinor, creditMinor, currency, collectionAttempt, isOnSession };
  const source = amountMinor === 0n ? null : saved;
  if (amountMinor !== 0n && source === null) return { kind: 'no_payment_method', method };
  const unasked = await findUnasked(tx, gateways, { ...intent, companyId, gateway: source?.gateway ?? null }, asked);
  if (unasked.length > 0) return { kind: 'unasked', gateways: unasked };
  if (source === null) {
    await payWithCreditOnly(tx, companyId, intent);
    await mailReceipt(tx, companyId, id);
    await recordAudit(tx, companyId, describeAsked(actor, intent));
    return { kind: 'paid' };
  }
  if (invoice.status === 'Failed') await reopenInvoice(tx, companyId, invoiceId);
  const audited = auditParts(tx, companyId, describeAsked(actor, { ...intent, ...source }));
  const inserting = insertPayment(tx, companyId, { ...intent, ...source, state: 'created' }, audited);
  const reading = readDebt(tx, { companyId, ...intent, ...source });
  const [payment, debt, returnUrl] = await sideBySide([
    inserting,
    reading,
    returnUrlOf(tx, gateways.of(source.gateway), { companyId, invoiceId, isOnSession }),
    recordPaymentMark(tx, companyId, { ...intent, ...source }, externalIdOf(reading)),
    consumeCredit(tx, companyId, intent),
    recordPaymentEvent(tx, { companyId, id: intent.id, invoiceId }, 'payment.started'),
    requester === null
      ? null
      : admit(
          tx,
          companyId,
          { ...source, id: intent.id, invoiceId, fingerprint: card?.fingerprint ?? null },
          requester,
        ),
  ]);
  failpoint('before_intent_commit');
  return { kind: 'started', payment, debt, firstDebtAnswer: askEarly(gateways, payment, debt), returnUrl };
}

/**
 * Without a card or account to charge, nothing takes the place of the payment that waits. A card that is not saved is another one each
 * time.
 */
function isSameSource({ cardId, paypalAccountId }: Payment, found: Source | null): found is null {
  if (found === null) return true;
  const isSaved = cardId !== null || paypalAccountId !== null;
  return isSaved && found.cardId === cardId && found.paypalAccountId === paypalAccountId;
}

/** Null for none, and if the debt could not be read: then nothing is committed. */
async function externalIdOf(reading: Promise<Debt>): Promise<string | null> {
  try {
    return (await reading).details.companyExternalId ?? null;
  } catch {
    return null;
  }
}

/** Asks the gateway for the debt while the intent commits. That saves time and changes nothing at the gateway. */
function askEarly(gateways: Gateways, payment: Payment, debt: Debt): Promise<DebtObjects> {
  const answer = listObjects(gateways.of(payment.gateway), payment, debt.request);
  // If the commit fails, nobody awaits the answer, and its rejection must not end the process.
  answer.catch(() => undefined);
  return answer;
}
