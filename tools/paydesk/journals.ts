import type { Paydesk, RecoveryJournal } from '../../packages/client/src/index.ts';
import { TerminalError } from './access.ts';
import { printable } from './printable.ts';

type Operator = Paydesk['operator'];

const USAGE =
  '`npm run paydesk -- journals` lists the journals of the database. `--retire <id>` removes a journal that no process ' +
  'writes to any more. It needs a database that does not hold charges.';

/**
 * `journals` lists the journals of the database, the one that was seen last first; `--retire <id>` forgets one.
 * @returns the exit code @throws TerminalError
 */
export async function runJournals(operator: Operator, words: readonly string[]): Promise<number> {
  const [flag, id, ...others] = words;
  if (flag === undefined) {
    const { journals } = await operator.recovery.get();
    process.stdout.write(journals.map((journal) => `${describe(journal)}\n`).join('') || 'There is none.\n');
    return 0;
  }
  if (flag !== '--retire' || id === undefined || others.length > 0) throw new TerminalError(USAGE);
  const { hold, journals } = await operator.recovery.get();
  if (hold !== null) throw new TerminalError(`Charges are held. ${USAGE}`);
  if (journals.some((journal) => journal.id === id && journal.isKept))
    throw new TerminalError('A process keeps this journal: stop it, or give it another one.');
  const { directory, host } = await operator.recovery.journals.lost(id);
  process.stdout.write(printable(`Paydesk no longer expects the journal ${directory} on ${host}.`).concat('\n'));
  return 0;
}

function describe({ id, directory, host, isKept, seenAt, lostAt }: RecoveryJournal): string {
  const state = isKept ? 'kept' : `last kept ${seenAt}${lostAt === null ? '' : `, declared lost ${lostAt}`}`;
  return printable(`${id}  ${directory} on ${host}  ${state}`);
}
