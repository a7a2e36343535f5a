import { countRecentMails } from '../../mail/mail.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';

const MAILS_PER_HOUR = 5;

type LimitedType = Parameters<typeof countRecentMails>[2]['type'];

/** Whether an address has got so many mails of a type within the hour that it gets no more, whoever asks for them. */
export async function isMailedEnough(
  tx: Tx,
  companyId: string | null,
  email: string,
  type: LimitedType,
): Promise<boolean> {
  return (await countRecentMails(tx, companyId ?? OPERATOR_SCOPE, { to: email, type })) >= MAILS_PER_HOUR;
}
