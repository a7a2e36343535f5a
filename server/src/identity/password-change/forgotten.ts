import { type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { issueLinkToken } from '../secrets/link-tokens.ts';
import { lockUserByEmail } from './change.public.queries.ts';

/** How long the link of a reset works. */
const VALID_SECONDS = 60 * 60;

const [MOST_AT_ONCE, MOST_WAITING] = [2, 1_000];
const RETRY_AFTER_SECONDS = 5;

export type ForgottenPasswords = {
  /** Sends a link to an e-mail, if it has an account. @throws ApiError service_unavailable when too many wait */
  sendLink: (email: string) => void;
  /** Waits for everything that was asked for. */
  finish: () => Promise<void>;
};

/**
 * Sends the links by which forgotten passwords are reset. It looks the e-mail up after the answer, so that neither the answer nor its time
 * tells whether there is an account.
 */
export function createForgottenPasswords(
  db: Db,
  mail: MailDependencies,
  logFailure: (error: unknown) => void,
): ForgottenPasswords {
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
  const work = async () => {
    for (let email = waiting.shift(); email !== undefined; email = waiting.shift()) {
      const address = email;
      await transaction(db, (tx) => sendReset(tx, address, mail)).catch(logFailure);
    }
  };
  return {
    sendLink: (email) => {
      if (waiting.length >= MOST_WAITING) {
        const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
        throw new ApiError('service_unavailable', 'Too many requests at once. Try again soon.', options);
      }
      waiting.push(email);
      if (running.size >= MOST_AT_ONCE) return;
      const worker: Promise<void> = work().finally(() => running.delete(worker));
      running.add(worker);
    },
    finish: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Writes the mail, unless the e-mail has no account or has got enough within the hour. An older link does not work any more. */
async function sendReset(tx: Tx, given: string, dependencies: MailDependencies): Promise<void> {
  const user = await lockUserByEmail(tx, given);
  if (user === null || !(await mayMail(tx, { type: 'reset_password', to: user.email }, dependencies))) return;
  const { id: userId, companyId, email, language } = user;
  const token = await issueLinkToken(tx, 'reset_password', { userId, email, validSeconds: VALID_SECONDS });
  const mail = { type: 'reset_password' as const, to: email, language, token, validSeconds: VALID_SECONDS };
  await queueMail(tx, companyId ?? OPERATOR_SCOPE, mail, dependencies);
}
