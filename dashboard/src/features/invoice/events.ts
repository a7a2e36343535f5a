import type { CreditNote, Dispute, InvoiceWithAttempts, PaymentAttempt, PaymentRefund } from '@paydesk/client';

/** What has happened to an invoice, or will. */
export type InvoiceEvent =
  | PastEvent
  /** The next step of the collection; without a time, it waits for something. */
  | { kind: 'next'; at: string | null; next: NextKind };

type PastEvent =
  | { kind: 'issued' | 'due' | 'voided' | 'overdue'; at: string }
  | { kind: 'attempt'; at: string; attempt: PaymentAttempt }
  | { kind: 'dispute'; at: string; dispute: Dispute }
  | { kind: 'refund'; at: string; refund: PaymentRefund }
  | { kind: 'creditNote'; at: string; creditNote: CreditNote };

export type NextKind = 'scheduled' | 'retry' | 'waitsForCard' | 'exhausted' | 'manual';

const HOUR_MS = 3_600_000;

/** Whether a payment changes by itself, so that its page looks again. */
export function isMoving(status: PaymentAttempt['status'] | undefined): boolean {
  return status === 'Processing' || status === 'RequiresAction';
}

/** Attempts beyond these are so old that the audit log is the place to look them up. */
const LISTED_ATTEMPTS = 10;

/** The records whose entries in the audit log are about an invoice: itself, its newest payments and its credit notes. */
export function historyOf({ id, attempts }: InvoiceWithAttempts, creditNotes: readonly CreditNote[]): string[] {
  const newest = attempts.toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
  return [id, ...newest.slice(0, LISTED_ATTEMPTS).map((attempt) => attempt.id), ...creditNotes.map((note) => note.id)];
}

/** The events of an invoice: what is to come first, then what has happened, the newest first. */
export function eventsOf(
  invoice: InvoiceWithAttempts,
  creditNotes: readonly CreditNote[],
  nowMs: number,
): { future: InvoiceEvent[]; past: PastEvent[] } {
  const { state, createdAt, dueAt, voidedAt, attempts } = invoice;
  const events: PastEvent[] = [
    { kind: 'issued', at: createdAt },
    ...attempts.map((attempt) => ({ kind: 'attempt' as const, at: attempt.createdAt, attempt })),
    ...attempts
      .flatMap(({ disputes }) => disputes)
      .map((dispute) => ({ kind: 'dispute' as const, at: dispute.openedAt, dispute })),
    ...attempts
      .flatMap(({ refunds }) => refunds)
      .map((refund) => ({ kind: 'refund' as const, at: refund.createdAt, refund })),
    ...creditNotes.map((creditNote) => ({ kind: 'creditNote' as const, at: creditNote.createdAt, creditNote })),
  ];
  if (voidedAt !== null) events.push({ kind: 'voided', at: voidedAt });
  const isOverdue = Date.parse(dueAt) <= nowMs;
  // Without net days, an invoice is due as it is issued, and the one line says it.
  const hasNetDays = Date.parse(dueAt) - Date.parse(createdAt) > HOUR_MS;
  if (state === 'open' && isOverdue && hasNetDays) events.push({ kind: 'overdue', at: dueAt });
  const past = events.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  // Before it is due, the day says enough of an invoice that somebody has to pay.
  const isNextKnown = state === 'open' && (isOverdue || invoice.collection.state !== 'manual');
  const future = isNextKnown ? nextOf(invoice) : [];
  const next = future[0]?.at;
  if (state === 'open' && !isOverdue && next !== dueAt) future.push({ kind: 'due', at: dueAt });
  return { future, past };
}

function nextOf({ collection, attempts }: InvoiceWithAttempts): InvoiceEvent[] {
  const wasDeclined = attempts.some(({ status }) => status === 'Failed');
  switch (collection.state) {
    case 'scheduled':
      return [{ kind: 'next', at: collection.nextAttemptAt, next: wasDeclined ? 'retry' : 'scheduled' }];
    case 'awaiting_payment_method':
      return [{ kind: 'next', at: null, next: 'waitsForCard' }];
    case 'exhausted':
      return [{ kind: 'next', at: null, next: 'exhausted' }];
    case 'manual':
      return [{ kind: 'next', at: null, next: 'manual' }];
    default:
      return [];
  }
}
