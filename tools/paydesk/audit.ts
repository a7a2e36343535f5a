import { styleText } from 'node:util';
import type { AuditProblem, Paydesk } from '../../packages/client/src/index.ts';
import { TerminalError } from './access.ts';
import { formatCount } from './progress.ts';

type Operator = Paydesk['operator'];

const MEANING: Record<AuditProblem['problem'], string> = {
  missing: 'the entry is missing',
  changed: 'the entry was changed',
  link: 'the entry does not follow the one before it',
  head: 'the chain does not end where Paydesk has recorded its end',
};

/**
 * `audit verify` computes the hashes of all chains of the audit log again, and lists every problem.
 * @returns the exit code: 1 if there is a problem @throws TerminalError
 */
export async function runAudit(operator: Operator, words: readonly string[]): Promise<number> {
  if (words.length !== 1 || words[0] !== 'verify')
    throw new TerminalError('Say what to do: `npm run paydesk -- audit verify`.');
  let checked = 0;
  let problems = 0;
  let cursor: string | null = null;
  do {
    const answer: Awaited<ReturnType<Operator['auditLog']['verify']>> = await operator.auditLog.verify(
      cursor === null ? {} : { cursor },
    );
    checked += answer.checked;
    problems += answer.problems.length;
    for (const problem of answer.problems) process.stdout.write(`${describe(problem)}\n`);
    cursor = answer.nextCursor;
  } while (cursor !== null);
  process.stdout.write(summary(checked, problems));
  return problems === 0 ? 0 : 1;
}

function describe({ companyId, sequence, problem }: AuditProblem): string {
  const chain = companyId === null ? 'the log of entries that concern no company' : `company ${companyId}`;
  return `${styleText('red', MEANING[problem])}: ${chain}, entry ${sequence}`;
}

function summary(checked: number, problems: number): string {
  const counted = checked === 1 ? '1 entry' : `${formatCount(checked)} entries`;
  if (problems === 0) return `${styleText('green', 'The audit log is genuine')}: ${counted} checked.\n`;
  const found = problems === 1 ? '1 problem' : `${formatCount(problems)} problems`;
  return `${styleText('red', found)}: ${counted} checked.\n`;
}
