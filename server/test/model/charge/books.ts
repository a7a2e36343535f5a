import type { Books, GatewayObject, Payment, PaymentState, RunningState } from './state.ts';

/* The transactions of a charge, each on the books of one database. An update that does not apply changes nothing. */

/** The payment that has not failed; an invoice has one at most. */
export function livePayment({ payments }: Books): Payment | null {
  return payments.find((payment) => isRunning(payment) || hasMoney(payment)) ?? null;
}

/** Whether the payment has no outcome yet. */
export function isRunning<One extends { state: PaymentState }>(payment: One): payment is One & { state: RunningState } {
  const { state } = payment;
  return state === 'live' || state === 'requires_action' || state === 'processing';
}

function hasMoney({ state }: Payment): boolean {
  return state === 'captured' || state === 'review';
}

/** Whether a payment has this object as captured, or a person looks at it. */
export function isBooked({ payments }: Books, object: number): boolean {
  return payments.some((payment) => payment.object === object && hasMoney(payment));
}

/** T1: a payment of what the invoice asks for. */
export function open(books: Books, { id, gateway }: Pick<Payment, 'id' | 'gateway'>): Books {
  const { invoice } = books;
  if (invoice === null) return books;
  const payment: Payment = { id, gateway, invoice: invoice.id, amount: invoice.amount, object: 0, state: 'live' };
  return { ...books, invoice: { ...invoice, state: 'open' }, payments: [...books.payments, payment] };
}

/** T2: the payment's object. Null when the payment has ended, has another one, or another payment has it. */
export function record(books: Books, id: number, object: number): Books | null {
  const payment = books.payments.find((one) => one.id === id);
  if (payment?.state !== 'live' || (payment.object !== 0 && payment.object !== object)) return null;
  if (books.payments.some((one) => one.object === object && one.id !== id)) return null;
  return change(books, payment, { object });
}

/** T3: captured if the amount is the payment's, else a person has to look. */
export function settle(books: Books, id: number, object: number, { amount }: GatewayObject): Books {
  const payment = books.payments.find((one) => one.id === id);
  if (payment === undefined || !isRunning(payment) || (payment.object !== 0 && payment.object !== object)) return books;
  if (amount !== payment.amount) return change(books, payment, { state: 'review', object });
  return paid(change(books, payment, { state: 'captured', object }));
}

/** The gateway says of the payment's object that it waits for the customer, or is a debit on its way. */
export function wait(books: Books, id: number, object: number, state: 'requires_action' | 'processing'): Books {
  const payment = books.payments.find((one) => one.id === id);
  const mayWait = payment?.state === 'live' || (payment?.state === 'requires_action' && state === 'processing');
  return mayWait && payment.object === object ? change(books, payment, { state }) : books;
}

/** The payment's object is canceled: the payment and the invoice are failed. */
export function fail(books: Books, id: number, object: number): Books {
  const payment = books.payments.find((one) => one.id === id);
  if (payment === undefined || !isRunning(payment) || payment.object !== object) return books;
  return failed(change(books, payment, { state: 'failed' }));
}

/** The gateway refused to create an object, or nothing was sent: then the invoice is what it was before. */
export function refuse(books: Books, id: number, state: 'failed' | 'withdrawn'): Books {
  const payment = books.payments.find((one) => one.id === id);
  if (payment?.state !== 'live' || payment.object !== 0) return books;
  const ended = change(books, payment, { state });
  return ended.payments.some((one) => one.state === 'failed') ? failed(ended) : ended;
}

/** One capture in one transaction, as in payments/adopt/adopt.ts. */
export function adopt(books: Books, object: number, capture: GatewayObject, freshId: number): Books {
  const { invoice } = books;
  if (invoice === null) return books;
  const holder = books.payments.find((one) => one.object === object);
  const live = livePayment(books);
  if (holder !== undefined && hasMoney(holder)) return books;
  if (holder?.state === 'failed' || holder?.state === 'withdrawn')
    return live !== null && isRunning(live) ? change(books, live, { state: 'review' }) : books;
  if (live !== null && hasMoney(live)) return books;
  // Nothing takes the place of a debit on its way.
  if (live?.state === 'processing' && live.object !== object) return books;
  if (live !== null && (live.id === capture.payment || live.id === holder?.id))
    return settle(change(books, live, { object }), live.id, object, capture);
  const rest = live === null ? books : change(books, live, { state: 'withdrawn' });
  const isExact = capture.amount === invoice.amount;
  const reopened = writeAgain(rest, object, capture, { freshId, state: isExact ? 'captured' : 'review' });
  return isExact ? paid(reopened) : reopened;
}

/** The payment of a debit that is on its way runs, as in payments/adopt/adopt.service.ts. */
export function adoptDebit(books: Books, object: number, debit: GatewayObject, freshId: number): Books {
  const holder = books.payments.find((one) => one.object === object);
  const live = livePayment(books);
  if (holder !== undefined) return isRunning(holder) ? change(books, holder, { state: 'processing' }) : books;
  if (live !== null && hasMoney(live)) return books;
  if (live?.id === debit.payment) return change(books, live, { state: 'processing', object });
  const rest = live === null ? books : change(books, live, { state: 'withdrawn' });
  return writeAgain(rest, object, debit, { freshId, state: 'processing' });
}

/** A payment that the books lack, with the id that its object carries if that is free. */
function writeAgain(
  books: Books,
  object: number,
  { gateway, payment: id }: GatewayObject,
  { freshId, state }: { freshId: number; state: PaymentState },
): Books {
  const { invoice } = books;
  if (invoice === null) return books;
  const isTaken = books.payments.some((one) => one.id === id);
  const { id: invoiceId, amount } = invoice;
  const written: Payment = { id: isTaken ? freshId : id, gateway, invoice: invoiceId, amount, object, state };
  return { ...books, invoice: { ...invoice, state: 'open' }, payments: [...books.payments, written] };
}

function paid(books: Books): Books {
  return books.invoice === null ? books : { ...books, invoice: { ...books.invoice, state: 'paid' } };
}

function failed(books: Books): Books {
  return books.invoice === null ? books : { ...books, invoice: { ...books.invoice, state: 'failed' } };
}

function change(books: Books, payment: Payment, changes: { state?: PaymentState; object?: number }): Books {
  return { ...books, payments: books.payments.map((one) => (one === payment ? { ...one, ...changes } : one)) };
}
