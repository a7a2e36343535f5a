import { TerminalError } from '../../paydesk/access.ts';
import { readLink } from '../access.ts';
import { type Access, emailOf, PASSWORD, type SignedUp } from './companies.ts';

/** The person of a company follows the link in the mail. */
export async function verifyEmail({ operator, connect }: Access, company: SignedUp): Promise<void> {
  await connect().auth.email.verify({ token: await tokenOf(operator, emailOf(company)) });
}

/** Two colleagues accept, and one has not yet. */
export async function inviteColleagues({ operator, connect }: Access, company: SignedUp): Promise<void> {
  const { client } = company;
  const { data: roles } = await client.company.roles.list();
  const domain = emailOf(company).split('@')[1];
  for (const [first_name, last_name, roleName] of COLLEAGUES) {
    const email = `${first_name.toLowerCase()}.${last_name.toLowerCase()}@${domain}`;
    const role = roles.find(({ name }) => name === roleName);
    if (role === undefined) throw new TerminalError(`There is no role ${roleName}.`);
    await client.company.invitations.create({ email, role_id: role.id });
    if (last_name === 'Somerville') continue;
    const token = await tokenOf(operator, email);
    await connect().auth.invitations.accept({ token, first_name, last_name, password: PASSWORD });
  }
}

const COLLEAGUES = [
  ['Charles', 'Babbage', 'Billing manager'],
  ['Luigi', 'Menabrea', 'Viewer'],
  ['Mary', 'Somerville', 'Viewer'],
] as const;

async function tokenOf(operator: Access['operator'], email: string): Promise<string> {
  const token = await readLink({ operator }, email);
  if (token === null) throw new TerminalError(`The mail to ${email} has no link.`);
  return token;
}
