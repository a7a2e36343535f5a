import type { Tx } from '../platform/database/database.ts';
import type { Keyring } from '../platform/keys/keys.ts';
import { countMail } from './mail.public.queries.ts';
import type { MailType } from './templates/mails.ts';

/** A type of which anybody can cause many mails. */
type LimitedType = Exclude<MailType, 'charges_held'>;

/** How many mails of a type an address gets within an hour, whoever asks for them. */
const MAILS_PER_HOUR: Record<LimitedType, number> = {
  verify_email: 5,
  reset_password: 5,
  change_email: 5,
  email_changing: 10,
  // Of all companies together.
  invitation: 20,
  password_changed: 20,
  email_kept: 10,
  passkey_added: 20,
  passkey_removed: 20,
  totp_enabled: 20,
  totp_disabled: 20,
  recovery_codes_replaced: 20,
};
/** Of one company: to an address, and to all of them, because anybody may sign up and write to strangers with it. */
const INVITATIONS_OF_COMPANY_PER_HOUR = { toAddress: 5, toAll: 200 };

/**
 * Counts a mail towards the limit of its address, however the address is spelled, and also when the account behind it is deleted. Ask
 * before the mail is written, in the same transaction. @returns whether it may be written
 */
export async function mayMail(
  tx: Tx,
  { type, to }: { type: LimitedType; to: string },
  { keyring }: { keyring: Pick<Keyring, 'hashRequest'> },
): Promise<boolean> {
  return countMail(tx, subjectOf(keyring, `${type} ${to}`), MAILS_PER_HOUR[type]);
}

/** The same of an invitation, which also counts towards the limits of the company that sends it. */
export async function mayInvite(
  tx: Tx,
  companyId: string,
  to: string,
  dependencies: { keyring: Pick<Keyring, 'hashRequest'> },
): Promise<boolean> {
  const { toAddress, toAll } = INVITATIONS_OF_COMPANY_PER_HOUR;
  const [all, address] = [`invitations of ${companyId}`, `invitation ${companyId} ${to}`];
  if (!(await countMail(tx, subjectOf(dependencies.keyring, all), toAll))) return false;
  if (!(await countMail(tx, subjectOf(dependencies.keyring, address), toAddress))) return false;
  return mayMail(tx, { type: 'invitation', to }, dependencies);
}

/** A keyed hash, so that the counts name no address. */
function subjectOf(keyring: Pick<Keyring, 'hashRequest'>, text: string): Buffer {
  return keyring.hashRequest(`mails ${text.toLowerCase()}`);
}
