import { v7 as uuidv7 } from 'uuid';
import { type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { issueLinkToken } from '../secrets/link-tokens.ts';
import { lockUserByEmail } from './change.public.queries.ts';
import { insertForgotten, selectForgotten, takeForgotten } from './forgotten.public.queries.ts';

/** How long the link of a reset works. */
const VALID_SECONDS = 60 * 60;

const [MOST_AT_ONCE, MOST_WAITING] = [2, 1_000];
const RETRY_AFTER_SECONDS = 5;

/** The process that was asked sends a link within milliseconds. One that waits for longer belongs to a process that has ended. */
const LEFT_BEHIND = { waitingSeconds: 5, limit: 100 };
const SWEEP_INTERVAL_MS = 5_000;

export type ForgottenPasswords = {
  /** Keeps the request; a link is sent if the e-mail has an account. @throws ApiError service_unavailable when too many wait */
  sendLink: (email: string) => Promise<void>;
  /** Waits for everything that was asked for here. */
  finish: () => Promise<void>;
};

/**
 * Sends the links by which forgotten passwords are reset. The e-mail is looked up after the answer, so that neither the answer nor its time
 * tells whether there is an account. What was asked for is kept in the database until its mail is written.
 */
export function createForgottenPasswords(
  db: Db,
  mail: MailDependencies,
  logFailure: (error: unknown) => void,
): ForgottenPasswords {
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      await sendForgotten(db, id, mail).catch(logFailure);
  };
  return {
    sendLink: async (email) => {
      const id = uuidv7();
      if (!(await insertForgotten(db, id, email, MOST_WAITING))) {
        const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
        throw new ApiError('service_unavailable', 'Too many requests at once. Try again soon.', options);
      }
      waiting.push(id);
      if (running.size >= MOST_AT_ONCE) return;
      const worker: Promise<void> = work().finally(() => running.delete(worker));
      running.add(worker);
    },
    finish: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Sends the links that a process which has ended was asked for. */
export function startSendingForgotten(db: Db, mail: MailDependencies, logFailure: (error: unknown) => void): Worker {
  return repeatEvery({
    work: async () => {
      for (const id of await selectForgotten(db, LEFT_BEHIND)) await sendForgotten(db, id, mail).catch(logFailure);
    },
    logFailure,
    everyMs: SWEEP_INTERVAL_MS,
  });
}

async function sendForgotten(db: Db, id: string, mail: MailDependencies): Promise<void> {
  await transaction(db, async (tx) => {
    const email = await takeForgotten(tx, id);
    if (email !== null) await sendReset(tx, email, mail);
  });
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
