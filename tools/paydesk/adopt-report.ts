import { styleText } from 'node:util';
import type { Recovery, RecoveryCase, WaitingInvoice } from '../../packages/client/src/index.ts';
import { printable } from './printable.ts';
import { formatCount } from './progress.ts';

/** One line of a case: what it is, and what will be done, or what a person has to do. */
function describeCase({
  kind,
  number,
  invoiceId,
  gatewayObjectId,
  companyId,
  amount,
  currency,
  plan,
  note,
}: RecoveryCase): string {
  const name = number ?? invoiceId ?? gatewayObjectId ?? companyId ?? '-';
  const money = amount === null ? '-' : `${amount} ${currency ?? ''}`.trimEnd();
  return printable(`${kind}  ${name}  ${money}  ${plan ?? note ?? ''}`);
}

/** What is known, in as many lines as there are cases, and a summary. */
export function describeFound(
  { hold, journals }: Recovery,
  { open, ...left }: { open: readonly RecoveryCase[] } & Left,
): string {
  const lines = [...open.map(describeCase), ...describeLeft(left), ...describeMissing(journals)];
  if (hold === null && lines.length === 0) {
    return `${styleText('green', 'Nothing is missing')}: the database does not hold charges.\n`;
  }
  const toDo =
    open.length === 0 ? [] : [`${count(open.length, 'case')} to deal with: add --yes.`, ...describeLate(hold)];
  return `${[...lines, ...toDo, ...describeHold({ hold, journals })].join('\n')}\n`;
}

/** What waits for a person: cases, and open invoices that are not charged before somebody releases them. */
export type Left = { cases: readonly RecoveryCase[]; invoices: readonly WaitingInvoice[] };

/** A credit note of an invoice that was paid then is not written again before its capture. */
function describeLate(hold: Recovery['hold']): string[] {
  if (hold === null || Date.parse(hold.until) <= Date.now()) return [];
  const before =
    'Before that time, Paydesk leaves a credit note to a person if the gateway does not list the capture of its invoice ' +
    'yet.';
  return [`A gateway may list captures late: if you can, add --yes only after ${hold.until}. ${before}`];
}

/** What a person has to do. */
export function describeLeft({ cases, invoices }: Left): string[] {
  return [
    ...describeList(
      `${count(cases.length, 'case')} for a person. Acknowledge the alert of each case when you have dealt with it:`,
      cases.map(describeCase),
    ),
    ...describeList(
      `Invoices that wait for a release: ${formatCount(invoices.length)}. Void or credit invoices that are no longer owed. ` +
        'Then run `npm run paydesk -- reconcile --adopt --release`, followed by the numbers of the invoices to release, or by ' +
        'no number to release all:',
      invoices.map(describeInvoice),
    ),
  ];
}

function describeList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [styleText('yellow', title), ...lines.map((line) => `  ${line}`)];
}

function describeInvoice({ number, buyer, companyId, amountDue, currency, dueAt, ...review }: WaitingInvoice): string {
  const { paymentUnderReview } = review;
  const reviewed = paymentUnderReview === null ? '' : `, with payment ${paymentUnderReview} under review`;
  return printable(`${number}  ${buyer || companyId}  ${amountDue} ${currency}, due ${dueAt.slice(0, 10)}${reviewed}`);
}

/** The journals that this hold has not read whole, and those that lack what a gateway shows. */
export function missingJournals({ journals }: Pick<Recovery, 'journals'>): Recovery['journals'] {
  return journals.filter(({ missing }) => missing);
}

function describeMissing(journals: Recovery['journals']): string[] {
  const missing = missingJournals({ journals });
  const lacked = missing.find(({ lacks }) => lacks !== null)?.lacks ?? null;
  if (lacked !== null) return describeWentBack(lacked, missing);
  return describeList(
    'These journals were not read. Read a copy with --journal <folder>, or give them up with --journal-lost:',
    missing.map((journal) => printable(nameJournal(journal))),
  );
}

/** Which of the journals it was, nobody knows. */
function describeWentBack(lacked: string, journals: Recovery['journals']): string[] {
  const title =
    'A journal went back with the database, or the database does not know the journal: none of these journals has ' +
    `${printable(lacked)}. Read the newest copy with --journal <folder>, or give up with --journal-lost what only that ` +
    'copy has:';
  return describeList(
    title,
    journals.map((journal) => printable(nameJournal(journal))),
  );
}

function nameJournal({ id, host, directory }: Pick<Recovery['journals'][number], 'id' | 'host' | 'directory'>): string {
  return `${directory} on ${host} (${id})`;
}

/** Why and until when charges are held. */
export function describeHold({ hold, journals }: Pick<Recovery, 'hold' | 'journals'>): string[] {
  if (hold === null) return ['The database does not hold charges.'];
  const { reason, since, until } = hold;
  return [
    printable(`Charges are held since ${since}: ${reason}`),
    missingJournals({ journals }).length === 0
      ? `The first pass after ${until} that finds nothing ends the hold.`
      : `The first pass after ${until} that finds nothing ends the hold, once all journals are read or given up.`,
  ];
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}
