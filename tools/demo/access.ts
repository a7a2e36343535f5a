import { randomUUID } from 'node:crypto';
import { isPaydeskError } from '../../packages/client/src/index.ts';
import { TerminalError } from '../paydesk/access.ts';
import type { Admin, Setting } from './company.ts';
import { printDetail, printStep } from './output.ts';

/* Who gets in, and how: people with sessions and roles, programs with keys; and what the audit log says about it. */

/** Verifies the address of the admin by the link of the mail. */
export async function verifyEmail(setting: Setting, { paydesk, email }: Admin): Promise<void> {
  printStep('She verifies her e-mail address by the link in the mail');
  const token = await readLink(setting, email);
  if (token === null) return printDetail('it was sent: only she can read it');
  await paydesk.auth.email.verify({ token });
  const { data } = await paydesk.auth.me.get();
  printDetail(`verified: ${data.email_verified}`);
}

/**
 * Returns the token of the link in the newest mail about the account of an address; null if a mail server has it. Without one, the
 * service keeps the mails for the operator.
 */
export async function readLink({ operator }: Pick<Setting, 'operator'>, email: string): Promise<string | null> {
  const { data } = await operator.mails.list({ recipient: email, perPage: 100 });
  const mail = data.find(({ invoiceId }) => invoiceId === null);
  if (mail === undefined) throw new TerminalError(`There is no mail to ${email}.`);
  const { text } = await operator.mails.get(mail.id);
  return /#token=([\w-]+)/.exec(text ?? '')?.[1] ?? null;
}

/** Goes on with the refresh token alone, as a program does that was closed. @returns the admin with the next tokens */
export async function resumeSession({ connect }: Setting, admin: Admin): Promise<Admin> {
  printStep('Her program starts again with its refresh token: three requests at once, one refresh');
  const paydesk = connect({ refreshToken: admin.refreshToken });
  const answers = await Promise.all(Array.from({ length: 3 }, () => paydesk.auth.me.get()));
  printDetail(`${answers.length} answers for ${answers[0]?.data.email}`);
  return { ...admin, paydesk };
}

/** Invites a colleague, who accepts and does what the role allows. */
export async function inviteColleague(setting: Setting, { paydesk }: Admin): Promise<void> {
  printStep('She invites Grace as billing manager, who accepts by the link in the mail');
  const email = `grace.${randomUUID().slice(-12)}@example.com`;
  const { id } = await findRole(paydesk, 'Billing manager');
  await paydesk.company.invitations.create({ email, role_id: id });
  const token = await readLink(setting, email);
  if (token === null) return printDetail('it was sent: only Grace can read it');

  const name = { first_name: 'Grace', last_name: 'Hopper' };
  const { data } = await setting.connect().auth.invitations.accept({ token, ...name, password: 'Correct-horse-7' });
  const grace = setting.connect({ accessToken: data.access_token });
  const { total } = await grace.invoices.list();
  const code = await expectRefusal(grace.labels.list(), 'forbidden');
  printDetail(`${data.user.role.name}: she reads ${total} invoices, and labels are ${code}`);
}

/** Lets a program in with a key that may only read, and deletes the key. */
export async function useApiKey({ connect }: Setting, { paydesk }: Admin): Promise<void> {
  printStep('A program of the company gets an API key that only reads');
  const { permission } = await findRole(paydesk, 'Viewer');
  const { id, key = '', prefix } = await paydesk.company.apiKeys.create({ name: 'Bookkeeping', permission });
  const program = connect({ accessToken: key });
  const { total } = await program.invoices.list();
  const forbidden = await expectRefusal(program.addresses.create({ streetAddress: '12 St James Square' }), 'forbidden');
  printDetail(`${prefix}…: it reads ${total} invoices, and to save an address is ${forbidden}`);
  await paydesk.company.apiKeys.delete(id);
  printDetail(`once deleted, it is ${await expectRefusal(program.invoices.list(), 'unauthenticated')}`);
}

/** Reads the newest entries of the audit log. */
export async function readAuditLog({ paydesk }: Admin): Promise<void> {
  printStep('She reads in the audit log who did what');
  const { data } = await paydesk.company.auditLog.list({ per_page: 8 });
  for (const { actor, action, target } of data) {
    printDetail(`${actor.name.padEnd(16)} ${action.padEnd(22)} ${target?.name ?? ''}`.trimEnd());
  }
}

async function findRole(paydesk: Admin['paydesk'], name: string) {
  const { data } = await paydesk.company.roles.list();
  const role = data.find((one) => one.name === name);
  if (role === undefined) throw new TerminalError(`There is no role ${name}.`);
  return role;
}

async function expectRefusal(call: PromiseLike<unknown>, code: 'forbidden' | 'unauthenticated'): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isPaydeskError(error, code)) throw error;
  return error.code;
}
