import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import {
  type BillingRun,
  isPaydeskError,
  type Paydesk,
  PaydeskConnectionError,
} from '../../packages/client/src/index.ts';
import { TerminalError } from './access.ts';
import { createProgress, formatCount, type Progress } from './progress.ts';

type Operator = Paydesk['operator'];

const POLL_INTERVAL_MS = 300;
/** A service that restarts is back within this time, and the run continues. */
const TIMEOUT_MS = 60_000;
const MAX_LISTED = 20;

/**
 * `billing-run 2026-10` starts the run of a month or continues it, shows its progress and ends with a report. @returns
 * the exit code: 1 if some companies could not be billed @throws TerminalError
 */
export async function runBillingRun(operator: Operator, [period, ...others]: readonly string[]): Promise<number> {
  if (period === undefined || others.length > 0) {
    throw new TerminalError('Name the month: `npm run paydesk -- billing-run 2026-10`.');
  }
  const progress = createProgress(process.stdout);
  const started = await operator.billingRuns.start({ period });
  const run = await follow(operator, started, progress);
  progress.end();
  process.stdout.write(report(run));
  return run.failures === 0 ? 0 : 1;
}

async function follow(operator: Operator, started: BillingRun, progress: Progress): Promise<BillingRun> {
  let run = started;
  let answeredAtMs = performance.now();
  let isOutageReported = false;
  progress.show(run);
  while (run.status === 'running') {
    await sleep(POLL_INTERVAL_MS);
    try {
      run = await operator.billingRuns.get(run.id, { maxRetries: 0 });
      answeredAtMs = performance.now();
      isOutageReported = false;
      progress.show(run);
    } catch (error) {
      if (!isAway(error) || performance.now() - answeredAtMs > TIMEOUT_MS) throw error;
      if (!isOutageReported)
        progress.print('The service does not answer now. The billing run continues when the service is back.');
      isOutageReported = true;
    }
  }
  return run;
}

/** Whether the error is temporary: nothing answers, the service is overloaded, or its database is unavailable. */
function isAway(error: unknown): boolean {
  return error instanceof PaydeskConnectionError || (isPaydeskError(error) && error.status === 503);
}

function report(run: BillingRun): string {
  const { period, status, companies, invoices, skipped, failures } = run;
  const colour = failures > 0 ? 'red' : status === 'done' ? 'green' : 'yellow';
  const counts = { companies, invoices, skipped, failures };
  const width = Math.max(...Object.values(counts).map((count) => formatCount(count).length));
  const lines = [
    styleText('bold', `Billing run of ${period}: ${styleText(colour, status)}`),
    ...Object.entries(counts).map(([name, count]) => `  ${name.padEnd(10)} ${formatCount(count).padStart(width)}`),
    ...describeWaiting(run),
    ...describeFailures(run),
    ...describeUnpricedPaths(run),
  ];
  return `${lines.join('\n')}\n`;
}

function describeWaiting({ status, companies, done, nextPassAt }: BillingRun): string[] {
  if (status !== 'waiting') return [];
  const waiting = companies - done;
  const who = waiting === 1 ? 'The month of 1 company is' : `The months of ${formatCount(waiting)} companies are`;
  return [`${who} not over yet; the run continues at ${nextPassAt}.`];
}

function describeFailures({ failures, failedCompanies }: BillingRun): string[] {
  if (failures === 0) return [];
  const title =
    'These companies could not be billed. The log of the service says why. When the cause is fixed, start the billing run ' +
    'again.';
  return [styleText('red', title), ...list(failedCompanies, failures)];
}

function describeUnpricedPaths({ unpricedPaths }: BillingRun): string[] {
  if (unpricedPaths.length === 0) return [];
  const paths = unpricedPaths.map(
    ({ path, companies }) =>
      `${printable(path)} (${companies === 1 ? '1 company' : `${formatCount(companies)} companies`})`,
  );
  return [
    styleText('yellow', 'These paths have no price. Their invoice lines have the amount zero:'),
    ...list(paths, paths.length),
  ];
}

function list(items: readonly string[], total: number): string[] {
  const shown = items.slice(0, MAX_LISTED).map((item) => `  ${item}`);
  return total > shown.length ? [...shown, `  and ${formatCount(total - shown.length)} more`] : shown;
}

/** Replaces control characters: some client sent the path, and it must not control the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}
