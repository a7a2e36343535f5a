import type { Books, ObjectState, PaymentState, Place, Process, Purpose, State } from './state.ts';

/* Writes a state as a short text, so that millions of states fit into memory. */

const PLACES: Record<Place, number> = {
  ...{ idle: 0, T1: 1, ask: 2, close: 3, 'close own': 4, adopt: 5, create: 6, skip: 7, T2: 8 },
  ...{ confirm: 9, wait: 10, find: 11, cancel: 12, T3: 13, fail: 14, refuse: 15, 'ask others': 16, 'close others': 17 },
  ...{ look: 18, 'await customer': 19, 'await bank': 20 },
};
const PURPOSES: Record<Purpose, number> = { create: 0, fail: 1, refuse: 2, conflict: 3, adopt: 4 };
const PAYMENTS: Record<PaymentState, number> = {
  ...{ live: 0, captured: 1, review: 2, failed: 3, withdrawn: 4, requires_action: 5, processing: 6 },
};
const INVOICES = { open: 0, failed: 1, paid: 2 };
const OBJECTS: Record<ObjectState, number> = {
  ...{ created: 0, declined: 1, captured: 2, canceled: 3, requires_action: 4, processing: 5 },
};
/** Numbers in a state are less than this. */
const BASE = 16;

/** Returns the same text for states that differ only in the order of equal processes. */
export function keyOf(state: State, hasEqualProcesses: boolean): string {
  const { books, backup, objects, processes, wentBack, isCalm } = state;
  const shared = [
    wentBack * 2 + (isCalm ? 1 : 0),
    ...booksNumbers(books[0]),
    ...booksNumbers(books[1]),
    ...booksNumbers(backup),
    objects.length,
  ];
  for (const one of objects) {
    const flags = (one.isKeyKept ? 1 : 0) + (one.isConfirming ? 2 : 0) + (one.isShown ? 4 : 0) + OBJECTS[one.state] * 8;
    shared.push(flags + 64 * one.gateway, one.payment * BASE + one.sequence, one.invoice * BASE + one.amount);
  }
  const texts = processes.map(processText);
  if (hasEqualProcesses) texts.sort();
  return String.fromCharCode(...shared) + texts.join('');
}

function booksNumbers(books: Books | null): number[] {
  if (books === null) return [0];
  const { usage, invoice, payments, isHeld, cases, dealtWith, marks } = books;
  const billed = invoice === null ? 0 : 1 + INVOICES[invoice.state] + 4 * (invoice.amount + BASE * invoice.id);
  const numbers = [1 + (isHeld ? 1 : 0) + 2 * usage, billed, payments.length];
  numbers.push(setNumber(cases), setNumber(dealtWith), setNumber(marks));
  for (const one of payments) {
    numbers.push(
      (PAYMENTS[one.state] + 8 * one.gateway) * BASE + one.object,
      (one.id * BASE + one.amount) * BASE + one.invoice,
    );
  }
  return numbers;
}

/** The same for the same numbers, in whatever order. */
function setNumber(members: readonly number[]): number {
  let bits = 0;
  for (const member of members) bits |= 1 << member;
  return bits;
}

function processText({
  at,
  gateway,
  payment,
  amount,
  object,
  own,
  targets,
  sequence,
  purpose,
  isRequest,
}: Process): string {
  if (at === 'idle') return '\u0000';
  return String.fromCharCode(
    1 + PLACES[at] + 32 * (PURPOSES[purpose] + 8 * gateway) + (isRequest ? 4_096 : 0),
    payment * BASE + amount,
    object * BASE + sequence,
    own * BASE + targets.length,
    ...targets,
  );
}
