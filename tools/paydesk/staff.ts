import { isPaydeskError, type Paydesk } from '../../packages/client/src/index.ts';
import { TerminalError } from './access.ts';

type Operator = Paydesk['operator'];

const ROLES = ['viewer', 'finance', 'admin'] as const;

/**
 * `staff add EMAIL [ROLE]` invites somebody, as an admin if no role is given.
 * @returns the exit code: 1 if the service refuses the e-mail @throws TerminalError
 */
export async function runStaff(operator: Operator, words: readonly string[]): Promise<number> {
  const [action, email, given = 'admin', ...others] = words;
  const role = ROLES.find((one) => one === given);
  if (action !== 'add' || email === undefined || role === undefined || others.length > 0)
    throw new TerminalError(
      'Name the e-mail address and the role: `npm run paydesk -- staff add ada@example.com admin`.',
    );
  try {
    const invited = await operator.staff.invite({ email, role });
    process.stdout.write(
      `Invited ${invited.email} with the role ${role}. ${await describeMail(operator, invited.email)}\n`,
    );
    return 0;
  } catch (error) {
    if (!isPaydeskError(error) || ![400, 409].includes(error.status)) throw error;
    const [detail] = error.details;
    process.stderr.write(`${detail === undefined ? error.message : `${detail.field} ${detail.message}.`}\n`);
    return 1;
  }
}

/** Says where the link is: without a mail server, the operator has to hand it over. */
async function describeMail(operator: Operator, email: string): Promise<string> {
  const { data } = await operator.mails.list({ perPage: 100 });
  const mail = data.find(({ type, to }) => type === 'invitation' && to.includes(email));
  if (mail?.status === 'kept')
    return `Without SMTP_URL, Paydesk sends no mail. The link is in GET /operator/mails/${mail.id}.`;
  return 'The mail with the link works once, for seven days.';
}
