/** The operator's command line for a running service: `npm run paydesk -- <command>`. Without a command it lists the commands. */
import { createPaydesk, type Paydesk } from '../packages/client/src/index.ts';
import {
  EXIT_INCOMPLETE,
  readOperatorKey,
  readServiceUrl,
  reportTerminalError,
  TerminalError,
} from './paydesk/access.ts';
import { runAudit } from './paydesk/audit.ts';
import { runBillingRun } from './paydesk/billing-run.ts';
import { runJournals } from './paydesk/journals.ts';
import { runReconcile } from './paydesk/reconcile.ts';
import { runStaff } from './paydesk/staff.ts';

type Command = {
  usage: string;
  does: string;
  run: (operator: Paydesk['operator'], words: readonly string[]) => Promise<number>;
};

const COMMANDS: Record<string, Command> = {
  audit: {
    usage: 'audit verify',
    does: 'Computes the hashes of the audit log again, and lists every entry that was changed',
    run: runAudit,
  },
  'billing-run': {
    usage: 'billing-run <month>',
    does: 'Bills a month, such as 2026-10, now, for all companies whose month is over',
    run: runBillingRun,
  },
  journals: {
    usage: 'journals [--retire <id>]',
    does: 'Lists the journals of the database; --retire removes one that no process writes to',
    run: runJournals,
  },
  reconcile: {
    usage: 'reconcile <month>',
    does: 'Compares the books of Paydesk and the gateways, for a month or a time range, and lists every difference',
    run: runReconcile,
  },
  'reconcile --adopt': {
    usage: 'reconcile --adopt [--yes]',
    does: 'After a restore, adds what the gateways and the journals have; without --yes, it only shows the plan',
    run: runReconcile,
  },
  staff: {
    usage: 'staff add <email> [role]',
    does: 'Invites somebody to the operator’s staff, as viewer, finance or admin (the default)',
    run: runStaff,
  },
};

const USAGE = `Usage: npm run paydesk -- <command>

${Object.values(COMMANDS)
  .map(({ usage, does }) => `  ${usage.padEnd(26)} ${does}`)
  .join('\n')}

PAYDESK_URL says where the service is (http://127.0.0.1:3000). OPERATOR_KEY holds the operator's key; without it, the key
is read from the data directory (DATA_DIR, or ./data).
`;

const [name, ...words] = process.argv.slice(2);
process.exitCode = (await run(name, words).catch(reportTerminalError)) ?? EXIT_INCOMPLETE;

async function run(name: string | undefined, words: readonly string[]): Promise<number> {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    process.stdout.write(USAGE);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new TerminalError(`There is no command ${JSON.stringify(name)}.\n\n${USAGE}`);
  const { operator } = createPaydesk({ url: readServiceUrl(process.env), operatorKey: readOperatorKey(process.env) });
  return command.run(operator, words);
}
