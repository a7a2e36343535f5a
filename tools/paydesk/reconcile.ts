import { styleText } from 'node:util';
import type { Paydesk, Reconciliation, ReconciliationDifference } from '../../packages/client/src/index.ts';
import { EXIT_INCOMPLETE, reportTerminalError, TerminalError } from './access.ts';
import { runAdopt } from './adopt.ts';
import { printable } from './printable.ts';
import { formatCount } from './progress.ts';

type Operator = Paydesk['operator'];
type Side = ReconciliationDifference['here'];
/** What a payment at the gateway that is missing in the books was made for. */
type Purpose = NonNullable<ReconciliationDifference['purpose']>;

const USAGE =
  'Name a month, `npm run paydesk -- reconcile 2026-10`, or a time range, `npm run paydesk -- reconcile ' +
  '2026-10-01T00:00:00Z 2026-10-02T00:00:00Z`. `--gateway <name>` compares only one gateway. After a restore: `npm run ' +
  'paydesk -- reconcile --adopt`.';

const MEANING: Record<ReconciliationDifference['kind'], string> = {
  missing_here: 'at the gateway, and not here',
  missing_there: 'here, and not at the gateway',
  amount: 'other amounts',
  state: 'done at the gateway, and not here',
};

const ORPHAN = 'captured at the gateway, and its invoice is not here';

type Time = { from: string; to: string };

/**
 * `reconcile 2026-10` compares our books with those of every gateway for a month in UTC, or another time, and lists every difference.
 * @returns the exit code: 1 if there is a difference, 2 if a gateway could not be compared @throws TerminalError
 */
export async function runReconcile(operator: Operator, words: readonly string[]): Promise<number> {
  if (words.includes('--adopt')) return runAdopt(operator, words);
  const { gateway, ...time } = readWords(words);
  const first = await compare(operator, time, gateway);
  let { differences } = first;
  let isComplete = true;
  const others = gateway === null ? first.gateways.filter((name) => name !== first.gateway) : [];
  for (const name of others) {
    const compared = await compare(operator, time, name).catch(reportTerminalError);
    if (compared === null) isComplete = false;
    else differences += compared.differences;
  }
  if (!isComplete) return EXIT_INCOMPLETE;
  return differences === 0 ? 0 : 1;
}

/** Compares with one gateway, by default the one that takes new cards. */
async function compare(operator: Operator, { from, to }: Time, gateway: string | null) {
  const query = { from, to, ...(gateway === null ? {} : { gateway }) };
  let compared = 0;
  let differences = 0;
  let others = 0;
  let page: Reconciliation;
  let cursor: string | null = null;
  do {
    page = await operator.reconciliation.get(cursor === null ? query : { ...query, cursor });
    compared += page.compared;
    differences += page.differences.length;
    others += page.ofOtherInstallations;
    for (const difference of page.differences)
      process.stdout.write(`${describeDifference(page.gateway, difference)}\n`);
    cursor = page.nextCursor;
  } while (cursor !== null);
  process.stdout.write(summary(printable(page.gateway), { compared, differences, others }));
  return { gateway: page.gateway, gateways: page.gateways, differences };
}

function readWords(words: readonly string[]): Time & { gateway: string | null } {
  const flag = words.indexOf('--gateway');
  const gateway = flag === -1 ? null : (words[flag + 1] ?? '');
  const rest = flag === -1 ? words : words.toSpliced(flag, 2);
  const [from = '', to, ...others] = rest;
  if (from === '' || gateway === '' || others.length > 0) throw new TerminalError(USAGE);
  return { ...(to === undefined ? monthOf(from) : { from, to }), gateway };
}

function monthOf(text: string): { from: string; to: string } {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined) throw new TerminalError(USAGE);
  const start = (months: number) => new Date(Date.UTC(year, month - 1 + months, 1)).toISOString();
  return { from: start(0), to: start(1) };
}

function describeDifference(gateway: string, difference: ReconciliationDifference): string {
  const { kind, entry, gatewayId, id, companyId, invoiceId, here, there, purpose } = difference;
  const request = findRequest(gateway, difference);
  const rows = [
    `here       ${describe(here)}${id === null ? '' : `  ${id}`}`,
    `gateway    ${describe(there)}${gatewayId === null ? '' : `  ${gatewayId}`}`,
    ...(companyId === null ? [] : [`company    ${companyId}, invoice ${invoiceId}`]),
    ...(purpose === null ? [] : describePurpose(purpose)),
    ...(request === null ? [] : [`to record  ${request}`]),
  ];
  const isOrphan = purpose !== null && !purpose.isInvoiceHere;
  const special =
    entry === 'dispute' && kind === 'state' ? 'the gateway reports another state' : isOrphan ? ORPHAN : undefined;
  const meaning = special ?? MEANING[kind];
  return [styleText('red', `${entry}: ${meaning}`), ...rows.map((row) => `  ${printable(row)}`)].join('\n');
}

/** Describes what a payment is for, and what makes the books agree. */
function describePurpose({ debt, companyId, invoiceId, invoiceNumber, isInvoiceHere }: Purpose): string[] {
  const names = [invoiceNumber, invoiceId, debt, companyId === null ? null : `company ${companyId}`];
  return [
    `made for   ${names.filter((name) => name !== null).join(', ')}`,
    `to do      ${advise(debt, isInvoiceHere)}`,
  ];
}

function advise(debt: string | null, isInvoiceHere: boolean): string {
  if (isInvoiceHere) return 'nothing: the invoice exists here, and its next charge finds this payment';
  const month = /^usage:[^:]+:(\d{4}-\d\d)/.exec(debt ?? '')?.[1];
  const issue =
    month === undefined
      ? 'issue the invoice again with the same reference'
      : `start the billing run of ${month} when charges are no longer held`;
  return (
    `see what npm run paydesk -- reconcile --adopt reports; if it has no case for this payment, ${issue}, or refund the ` +
    'payment at the gateway'
  );
}

/** Returns the request that reads it from the gateway, if the gateway event was lost; null if there is none. */
function findRequest(
  gateway: string,
  { kind, entry, gatewayId, gatewayPaymentId, there }: ReconciliationDifference,
): string | null {
  if (there === null) return null;
  if (entry === 'dispute') return `POST /operator/disputes ${JSON.stringify({ gateway, gatewayDisputeId: gatewayId })}`;
  if (entry === 'refund' && kind === 'missing_here')
    return `POST /operator/refunds ${JSON.stringify({ gateway, gatewayPaymentId })}`;
  return null;
}

function describe(side: Side): string {
  return side === null ? '-' : `${side.amount} ${side.currency} ${side.status}`;
}

function summary(
  gateway: string,
  { compared, differences, others }: { compared: number; differences: number; others: number },
): string {
  const left = others === 0 ? '' : `; ${formatCount(others)} of other installations in the same account were left out`;
  const counted = `${formatCount(compared)} entries compared with ${gateway}${left}`;
  if (differences === 0) return `${styleText('green', 'The books agree')}: ${counted}.\n`;
  const found = differences === 1 ? '1 difference' : `${formatCount(differences)} differences`;
  return `${styleText('red', found)}: ${counted}.\n`;
}
