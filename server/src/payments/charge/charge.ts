import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { consumeCredit, creditToConsume } from '../../billing/credits/credits.service.ts';
import {
  lockInvoiceToCharge,
  readInvoice,
  recordPaymentEvent,
  reopenInvoice,
  succeedInvoice,
} from '../../billing/invoices/invoices.service.ts';
import type { Invoice } from '../../billing/invoices/record/invoices.schema.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import { alertOutage } from '../../gateways/gateways.outages.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { type Asker, admit, untilAdmitted } from '../../methods/card-testing/card-testing.service.ts';
import { CARDS } from '../../methods/cards/cards.service.ts';
import { PAYPAL_ACCOUNTS } from '../../methods/paypal-accounts/paypal-accounts.service.ts';
import { chooseToCharge } from '../../methods/saved/saved.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import { toDecimal } from '../../platform/money/decimal.ts';
import { toMinor } from '../../platform/money/money.ts';
import { markUnknown } from '../outcomes/outcomes.queries.ts';
import { type Debt, type DebtObjects, keyOf, listObjects, readDebt } from '../record/debt.ts';
import {
  insertPayment,
  type NewPayment,
  PAYMENT_QUEUE,
  selectLivePayment,
  selectPayment,
} from '../record/payment.queries.ts';
import type { Payment } from '../record/payment.ts';
import { settleUnsent } from '../record/settle.ts';
import { applyFailure, applyOutcome } from './outcome.ts';
import { confirmAtGateway, createAtGateway } from './send.ts';

export type PaymentDependencies = { db: Db; gateways: Gateways };

/** How long a pay waits for another one of the same invoice. */
const WAIT_FOR_OTHER_MS = 20_000;
const POLL_INTERVAL_MS = 100;
/** When the reconciler first looks at a payment whose answer was lost. */
const FIRST_LOOK_SECONDS = 5;

export type PayAnswer = { status: 200 | 202; invoice: Json<typeof Invoice> };

/**
 * Charges an invoice, at most once however often, from wherever and with whatever crashes in between it is called.
 * 200: it is paid. 202: the gateway's answer was lost and is being found out.
 * `asker` is the person who asks for it, whose refused charges are counted.
 * @throws ApiError card_declined, card_testing_suspected, payment_method_required, payment_in_progress, payment_under_review,
 * invoice_voided, service_unavailable, not_found
 */
export async function payInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  invoiceId: string,
  asker: Asker | null = null,
): Promise<PayAnswer> {
  const { db } = dependencies;
  const payment = await chargeInvoice(dependencies, companyId, invoiceId, { asker });
  return payment === null ? { status: 200, invoice: await readInvoice(db, companyId, invoiceId) } : answer(db, payment);
}

/**
 * The charge itself, whoever asks for it: begins a payment and sees it through, or waits for the one that runs already.
 * `collectionAttempt` numbers the attempts of the automatic collection, each of which begins one payment at most.
 * @returns the payment as it stands by then; null when the invoice is paid
 * @throws ApiError card_testing_suspected, payment_method_required, invoice_voided, not_found
 */
export async function chargeInvoice(
  dependencies: PaymentDependencies,
  companyId: string,
  invoiceId: string,
  by: Partial<Initiator> = {},
): Promise<Payment | null> {
  const { db } = dependencies;
  const initiator = { collectionAttempt: null, asker: null, ...by };
  const opened = await untilAdmitted(db, () =>
    transaction(db, async (tx) => askMeanwhile(dependencies, await openPayment(tx, companyId, invoiceId, initiator))),
  );
  failpoint('after_intent');
  if (opened.kind === 'paid') return null;
  if (opened.kind === 'started') await charge(dependencies, opened.payment, opened);
  return waitForOutcome(db, opened.payment);
}

/** Either the automatic collection, or a person, or neither: the operator. */
type Initiator = { collectionAttempt: number | null; asker: Asker | null };

type Opened =
  | { kind: 'paid' }
  | { kind: 'started'; payment: Payment; debt: Debt }
  | { kind: 'running'; payment: Payment };

type Question = { debt: Debt; firstAnswer: Promise<DebtObjects> };

/** While the intent commits the gateway is asked for the debt, which changes nothing there. */
function askMeanwhile({ gateways }: PaymentDependencies, opened: Opened) {
  if (opened.kind !== 'started') return opened;
  const firstAnswer = listObjects(gateways.of(opened.payment.gateway), opened.debt.request);
  // Nobody waits for it if the commit fails.
  firstAnswer.catch(() => undefined);
  return { ...opened, firstAnswer };
}

/** T1: writes the intent, with everything that will be charged, before the gateway hears of it. */
async function openPayment(
  tx: Tx,
  companyId: string,
  invoiceId: string,
  { collectionAttempt, asker }: Initiator,
): Promise<Opened> {
  // Sent at once, done one after the other: what is read after a lock says what holds under it.
  const [invoice, running] = await Promise.all([
    lockInvoiceToCharge(tx, companyId, invoiceId),
    selectLivePayment(tx, companyId, invoiceId),
  ]);
  if (invoice.status === 'Succeeded') return { kind: 'paid' };
  if (invoice.isVoided) throw new ApiError('invoice_voided', 'The invoice is void: there is nothing to pay.');
  if (running !== null) return { kind: 'running', payment: running };

  const { method, currency } = invoice;
  const dueMinor = toMinor(toDecimal(invoice.amountDue), currency);
  // Whoever changes the default card or account, or the credit, holds this lock too, so that the choice never falls between two
  // defaults, and no two payments take the same credit.
  const [, creditMinor] = await Promise.all([
    lockCompany(tx, companyId),
    creditToConsume(tx, companyId, { dueMinor, currency }),
  ]);
  const amountMinor = dueMinor - creditMinor;
  const intent = { id: uuidv7(), invoiceId, method, amountMinor, creditMinor, currency, collectionAttempt };
  if (amountMinor === 0n) {
    await payWithoutCharge(tx, companyId, intent);
    return { kind: 'paid' };
  }
  const source = await chooseSource(tx, companyId, method);
  if (invoice.status === 'Failed') await reopenInvoice(tx, companyId, invoiceId);
  const [payment, debt] = await Promise.all([
    insertPayment(tx, companyId, { ...intent, ...source, state: 'created' }),
    readDebt(tx, { companyId, ...intent, ...source }),
    consumeCredit(tx, companyId, intent),
    recordPaymentEvent(tx, { companyId, invoiceId }, 'payment.started'),
    asker === null ? null : admit(tx, companyId, { ...source, id: intent.id, invoiceId, fingerprint: null }, asker),
  ]);
  failpoint('before_intent_commit');
  return { kind: 'started', payment, debt };
}

type Source = Pick<NewPayment, 'cardId' | 'paypalAccountId' | 'gateway' | 'gatewayToken'>;
type Intent = Omit<NewPayment, keyof Source | 'state'>;

/** What the invoice's method is charged to, with its gateway and token as they are now. @throws ApiError payment_method_required */
async function chooseSource(tx: Tx, companyId: string, method: string): Promise<Source> {
  if (method === 'paypal') {
    const { id: paypalAccountId, gateway, gatewayToken } = await chooseToCharge(tx, companyId, PAYPAL_ACCOUNTS);
    return { cardId: null, paypalAccountId, gateway, gatewayToken };
  }
  const { id: cardId, gateway, gatewayToken } = await chooseToCharge(tx, companyId, CARDS);
  return { cardId, paypalAccountId: null, gateway, gatewayToken };
}

/** An invoice of zero, or one that the credit covers wholly, needs neither card nor account. */
async function payWithoutCharge(tx: Tx, companyId: string, intent: Intent): Promise<void> {
  await reopenInvoice(tx, companyId, intent.invoiceId);
  await insertPayment(tx, companyId, {
    ...intent,
    cardId: null,
    paypalAccountId: null,
    gateway: 'none',
    gatewayToken: null,
    state: 'captured',
  });
  await consumeCredit(tx, companyId, intent);
  await succeedInvoice(tx, companyId, intent.invoiceId, intent.id);
  await recordPaymentEvent(tx, { companyId, invoiceId: intent.invoiceId }, 'payment.captured');
}

/** The gateway's part. Whatever is lost on the way leaves the payment to the reconciler, which goes on. */
async function charge(
  { db, gateways }: PaymentDependencies,
  payment: Payment,
  { debt, firstAnswer }: Question,
): Promise<void> {
  const gateway = gateways.of(payment.gateway);
  let isSent = false;
  try {
    const sent = await createAtGateway(db, gateway, payment, debt, firstAnswer);
    if (sent === null) return;
    isSent = true;
    const idempotencyKey = keyOf(debt.request.debt, sent.sequence, 'confirm');
    const found = await confirmAtGateway(gateway, payment, { ...sent, idempotencyKey });
    if (await applyOutcome(db, gateway, payment, found)) return;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await alertOutage(db, payment, error.kind);
    if (await end(db, gateway, payment, { error, isSent })) return;
  }
  await markUnknown(db, payment.companyId, PAYMENT_QUEUE, payment.id, FIRST_LOOK_SECONDS);
}

/** Only when the gateway took nothing up, or refused to make an object, is that an end. @returns whether the payment has ended */
async function end(
  db: Db,
  gateway: Gateway,
  payment: Payment,
  { error, isSent }: { error: GatewayError; isSent: boolean },
): Promise<boolean> {
  const { kind } = error;
  const isAway = kind === 'not_sent' || kind === 'unauthorized' || kind === 'not_configured';
  if (isAway) return !isSent && settleUnsent(db, payment, 'not_sent');
  return applyFailure(db, gateway, payment, error).catch((failure: unknown) => {
    if (failure instanceof GatewayError) return false;
    throw failure;
  });
}

async function waitForOutcome(db: Db, payment: Payment): Promise<Payment> {
  const deadlineMs = performance.now() + WAIT_FOR_OTHER_MS;
  for (;;) {
    const current = await selectPayment(db, payment.companyId, payment.id);
    // Another payment of the same debt was captured before, and counts instead.
    if (current.failureReason === 'superseded')
      return (await selectLivePayment(db, payment.companyId, payment.invoiceId)) ?? current;
    if (current.state !== 'created' && current.state !== 'sending') return current;
    if (performance.now() > deadlineMs) return current;
    await sleep(POLL_INTERVAL_MS);
  }
}

async function answer(
  db: Db,
  { state, companyId, invoiceId, paypalAccountId, failureReason, declineCode }: Payment,
): Promise<PayAnswer> {
  switch (state) {
    case 'captured':
      return { status: 200, invoice: await readInvoice(db, companyId, invoiceId) };
    case 'unknown':
      return { status: 202, invoice: await readInvoice(db, companyId, invoiceId) };
    case 'needs_review':
      throw new ApiError('payment_under_review', 'A payment of this invoice is under review by the operator.');
    case 'failed':
      if (failureReason === 'not_sent') {
        throw new ApiError('service_unavailable', 'The payment gateway can not be reached; nothing was charged.', {
          retryAfterSeconds: 5,
        });
      }
      throw new ApiError(
        'card_declined',
        paypalAccountId === null ? 'The card was declined.' : 'PayPal declined the charge.',
        { declineCode: declineCode ?? 'generic_decline' },
      );
    default:
      throw new ApiError('payment_in_progress', 'Another payment of this invoice is still running.', {
        retryAfterSeconds: 5,
      });
  }
}
