import { resolve } from 'node:path';
import { styleText } from 'node:util';
import {
  isPaydeskError,
  type Paydesk,
  PaydeskConnectionError,
  type Recovery,
  type RecoveryCase,
  type WaitingInvoice,
} from '../../packages/client/src/index.ts';
import type { JournalLine } from '../../server/src/continuity/journal/journal.files.ts';
import { EXIT_INCOMPLETE, TerminalError } from './access.ts';
import { describeFound, describeHold, describeLeft, type Left, missingJournals } from './adopt-report.ts';
import { type AdoptWords, readAdoptWords } from './adopt-words.ts';
import { findJournalFolder } from './journal-folder.ts';
import { printable } from './printable.ts';
import { formatCount } from './progress.ts';

type Operator = Paydesk['operator'];

/** So that the progress moves, and because a document may have thousands of lines. */
const CASES_A_REQUEST = 200;
const INVOICES_A_REQUEST = 1_000;
/** A gateway may have to list all that it has made since the backup. `fetch` waits for no answer longer than five minutes. */
const PATIENCE = { timeoutMs: 290_000, totalTimeoutMs: 290_000 };
/** A request may have 4 MiB; quotes double. */
const LINES_CHARACTERS = 1_000_000;
const MAX_LINES = 10_000;

/**
 * `reconcile --adopt` tells what a database that went back lacks, and with `--yes` brings it together with the gateways and the journals.
 * @returns the exit code: 0 nothing found, or all done; 1 there is something to do, or it waits for a person; 2 it could not be done
 * @throws TerminalError
 */
export async function runAdopt(operator: Operator, words: readonly string[]): Promise<number> {
  const asked = readAdoptWords(words);
  if (asked.release !== null) return release(operator, asked);
  const { json } = asked;
  if (asked.accept !== null) return resolveCapture(operator, asked.accept, { outcome: 'accepted', json });
  if (asked.refund !== null) return resolveCapture(operator, asked.refund, { outcome: 'refunded', json });
  // npm runs the command in the project's folder. INIT_CWD is the folder in which npm was called.
  const calledIn = process.env.INIT_CWD ?? '.';
  for (const folder of asked.journals) await readJournal(operator, resolve(calledIn, folder), asked);
  await compare(operator);
  return asked.yes ? adoptAll(operator, asked) : tell(operator, asked);
}

/** Compares now. What takes longer than a request may is known from the passes that the service makes by itself during a hold. */
async function compare(operator: Operator): Promise<void> {
  try {
    await operator.recovery.passes(PATIENCE);
  } catch (error) {
    const isLate = error instanceof PaydeskConnectionError && error.reason === 'timeout';
    const at = isLate ? (await operator.recovery.get()).hold?.lastPassAt : null;
    if (!at) throw error;
    process.stderr.write(`A comparison takes long. This is the result of the pass of ${at}.\n`);
  }
}

async function tell(operator: Operator, { json }: AdoptWords): Promise<number> {
  const recovery = await operator.recovery.get();
  const [open, left] = [await listCases(operator, 'open'), await listLeft(operator)];
  if (json) print({ ...recovery, cases: [...open, ...left.cases], awaitingRelease: left.invoices });
  else process.stdout.write(describeFound(recovery, { open, ...left }));
  return open.length + countLeft(left) + missingJournals(recovery).length > 0 ? 1 : 0;
}

async function adoptAll(operator: Operator, asked: AdoptWords): Promise<number> {
  const found = await operator.recovery.get();
  const { decided, remaining } = await carryOutAll(operator, asked, found);
  await compare(operator);
  const recovery = await operator.recovery.get();
  const left = await listLeft(operator);
  if (asked.json) print({ ...recovery, decided, remaining, cases: left.cases, awaitingRelease: left.invoices });
  else process.stdout.write(`${[...describeLeft(left), ...describeHold(recovery)].join('\n')}\n`);
  if (remaining > 0) return EXIT_INCOMPLETE;
  return countLeft(left) + recovery.cases.open > 0 ? 1 : 0;
}

type Decided = Awaited<ReturnType<Operator['recovery']['adopt']>>['decided'];

async function carryOutAll(
  operator: Operator,
  asked: AdoptWords,
  found: Recovery,
): Promise<{ decided: Decided; remaining: number }> {
  const decided: Decided = [];
  for (;;) {
    const answer = await adoptSome(operator, asked, found);
    const total = formatCount(Math.max(found.cases.open, decided.length + answer.decided.length + answer.remaining));
    for (const one of answer.decided) {
      decided.push(one);
      const state = one.state === 'done' ? '' : ` ${styleText('yellow', 'for a person:')}`;
      if (!asked.json)
        process.stdout.write(`${formatCount(decided.length)} of ${total}${state} ${printable(one.note)}\n`);
    }
    if (answer.remaining === 0 || answer.decided.length === 0) return { decided, remaining: answer.remaining };
  }
}

/** Journals are given up only once the gateways turned out to be the right ones, which is checked first. */
async function adoptSome(
  operator: Operator,
  { companies, isJournalLost }: AdoptWords,
  found: Recovery,
): ReturnType<Operator['recovery']['adopt']> {
  const body = { companies, limit: CASES_A_REQUEST };
  return operator.recovery.adopt(body, PATIENCE).catch(async (error) => {
    const code = isPaydeskError(error) ? error.code : null;
    if (code === 'journal_missing' && isJournalLost) {
      for (const { id } of missingJournals(found)) await operator.recovery.journals.lost(id);
      return operator.recovery.adopt(body, PATIENCE);
    }
    const advice = code === null ? undefined : ADVICE[code];
    throw advice === undefined ? error : new TerminalError(`${error.message} ${advice}`);
  });
}

const ADVICE: Record<string, string> = {
  journal_missing: 'Read a copy of a journal with --journal <folder>, or give the journals up with --journal-lost.',
};

async function release(operator: Operator, { release: invoices, json }: AdoptWords): Promise<number> {
  const [waiting] = (await listCases(operator, 'person')).filter(isOpenInvoices);
  const asked = invoices?.length ? { invoices } : {};
  const { released, unknown } =
    waiting === undefined
      ? { released: 0, unknown: invoices ?? [] }
      : await operator.recovery.cases.resolve(waiting.id, { outcome: 'released', ...asked });
  if (json) print({ released, unknown });
  else {
    const others = unknown.length === 0 ? '' : ` None of these waits: ${unknown.map(printable).join(', ')}.`;
    process.stdout.write(
      `${released === 1 ? '1 invoice' : `${formatCount(released)} invoices`} may be charged now.${others}\n`,
    );
  }
  return unknown.length === 0 ? 0 : 1;
}

/** Accepts or refunds a capture that was left to a person. */
async function resolveCapture(
  operator: Operator,
  gatewayPaymentId: string,
  { outcome, json }: { outcome: 'accepted' | 'refunded'; json: boolean },
): Promise<number> {
  const made = await operator.recovery.cases.resolve(await findCapture(operator, gatewayPaymentId), { outcome });
  const { amount, currency } = made;
  const said =
    outcome === 'accepted'
      ? `${amount} ${currency} are credit of company ${made.companyId} now.`
      : `${amount} ${currency} are refunded: ${made.gatewayRefundId}.`;
  if (json) print(made);
  else process.stdout.write(`${printable(said)}\n`);
  return 0;
}

/** Finds the case of a capture: one that waits for a person, else one that was resolved. @throws TerminalError if there is none */
async function findCapture(operator: Operator, gatewayPaymentId: string): Promise<string> {
  const cases = [...(await listCases(operator, 'person')), ...(await listCases(operator, 'done'))];
  const found = cases.find(({ kind, gatewayObjectId }) => kind === 'payment' && gatewayObjectId === gatewayPaymentId);
  if (found === undefined) throw new TerminalError(`No case for a person is about the payment ${gatewayPaymentId}.`);
  return found.id;
}

async function listCases(operator: Operator, state: RecoveryCase['state']): Promise<RecoveryCase[]> {
  const cases: RecoveryCase[] = [];
  for await (const one of operator.recovery.cases.list({ state, perPage: CASES_A_REQUEST })) cases.push(one);
  return cases;
}

async function listLeft(operator: Operator): Promise<Left> {
  const waiting = await listCases(operator, 'person');
  // The invoices are listed themselves.
  const cases = waiting.filter((one) => one.acknowledgedAt === null && !isOpenInvoices(one));
  const invoices: WaitingInvoice[] = [];
  for await (const one of operator.recovery.invoices.list({ perPage: INVOICES_A_REQUEST })) invoices.push(one);
  return { cases, invoices };
}

function isOpenInvoices({ kind }: RecoveryCase): boolean {
  return kind === 'open_invoices';
}

function countLeft({ cases, invoices }: Left): number {
  return cases.length + invoices.length;
}

/** Sends the lines of a journal without the damaged ones. @throws TerminalError when it does not count as read, unless it is given up */
async function readJournal(operator: Operator, folder: string, { isJournalLost }: AdoptWords): Promise<void> {
  const { id, installation, lines: all } = await findJournalFolder(folder);
  const damaged: string[] = [];
  const noteDamaged = ({ path, number }: JournalLine) => void damaged.push(`${path}, line ${number}`);
  const send = async (lines: readonly JournalLine[], isAll: boolean): Promise<void> => {
    const rest = installation === null ? {} : { installation };
    const isLast = isAll && damaged.length === 0;
    try {
      await operator.recovery.journals.entries(id, { lines: lines.map(({ text }) => text), isLast, ...rest });
    } catch (error) {
      const refused = refusedLines(error);
      if (!lines.some((_, index) => refused.has(index))) throw error;
      lines.filter((_, index) => refused.has(index)).forEach(noteDamaged);
      const sound = lines.filter((_, index) => !refused.has(index));
      await send(sound, isAll);
    }
  };
  let lines: JournalLine[] = [];
  let characters = 0;
  for await (const line of all()) {
    const { length } = line.text;
    // A request can't have the bytes of some damage.
    if (!isJson(line.text)) {
      noteDamaged(line);
      continue;
    }
    if (lines.length > 0 && (characters + length > LINES_CHARACTERS || lines.length === MAX_LINES)) {
      await send(lines, false);
      [lines, characters] = [[], 0];
    }
    lines.push(line);
    characters += length;
  }
  await send(lines, true);
  if (damaged.length === 0 || isJournalLost) return;
  throw new TerminalError(
    `These lines of the journal are damaged: ${damaged.join('; ')}. Read an undamaged copy, or give the lines up with --journal-lost.`,
  );
}

/** Which of the lines that were sent the service refuses, because no journal has them. */
function refusedLines(error: unknown): ReadonlySet<number> {
  if (!isPaydeskError(error) || error.code !== 'invalid_request') return new Set();
  return new Set(error.details.flatMap(({ field }) => /^lines\[(\d+)\]$/.exec(field)?.[1] ?? []).map(Number));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
