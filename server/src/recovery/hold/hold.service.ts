import { v7 as uuidv7 } from 'uuid';
import { insertAlert } from '../../alerts/alerts.service.ts';
import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import { lockHold } from '../../continuity/hold/charges-hold.service.ts';
import { selectAdmins } from '../../identity/staff/staff.service.ts';
import { type MailDependencies, queueMail } from '../../mail/mail.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { observed } from '../../platform/steps.ts';
import { holdEvents } from './hold.events.ts';
import { type HoldRow, insertHold, lockToEnd, markEnded, writeMissingMarks } from './hold.worker.queries.ts';

export { selectOpenHold as readHold } from './hold.worker.queries.ts';

import { guardAgainstLostJournal, prepareForLostJournal } from './lost-journal.ts';

export type HoldDependencies = { db: Db; chargesHold: ChargesHold };
/** What beginning a hold needs beside. */
export type MailsOfHold = { mails: MailDependencies };

/**
 * Holds charges in every process: in this one at once, in the others within a second, and in every transaction that moves money from the
 * commit on. Several processes may call it at the same time; one of them writes the alert, the event, and the mails to the staff's admins.
 * @param reason - for people: what the database lacks
 * @returns false when charges were held already
 */
export async function beginHold(
  { db, chargesHold, mails }: HoldDependencies & MailsOfHold,
  reason: string,
): Promise<boolean> {
  chargesHold.suspect('recovery', reason);
  try {
    const isNew = await observed({ step: 'hold begins' }, () =>
      transaction(db, (tx) => writeBeginning(tx, reason, mails)),
    );
    await chargesHold.refresh();
    return isNew;
  } finally {
    // From here on the row holds this process too. After a failure its caller does, for as long as the reason lasts.
    chargesHold.suspect('recovery', null);
  }
}

async function writeBeginning(tx: Tx, reason: string, mails: MailDependencies): Promise<boolean> {
  const hold = await insertHold(tx, { id: uuidv7(), reason });
  if (hold === null) return false;
  const message = `${reason} Charges are held. \`npm run paydesk -- reconcile --adopt\` tells what is missing and what to do.`;
  await insertAlert(tx, OPERATOR_SCOPE, { kind: 'charges_held', payment: null, message });
  await holdEvents.record(tx, null, { type: 'charges.held', data: describe(hold, null) });
  for (const { email, language } of await selectAdmins(tx))
    await queueMail(tx, OPERATOR_SCOPE, { type: 'charges_held', to: email, language }, mails);
  return true;
}

/** As many as one transaction writes in a fraction of the time that it may take. */
const MARKS_A_BATCH = 5_000;

/**
 * Ends this hold, in every process within a second, and writes the marks that only journals had: nobody needs to deal with them, and the
 * next comparison would miss them again.
 * @param mayEnd - is asked last, in each transaction, while nobody writes what the hold has found
 * @returns false when it had ended before, or may not end
 */
export async function endHold(
  { db, chargesHold }: HoldDependencies,
  id: string,
  mayEnd: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const writeBatch = async (tx: Tx) =>
    (await lockToEnd(tx, id)) && (await mayEnd(tx)) ? writeMissingMarks(tx, MARKS_A_BATCH) : 0;
  while ((await transaction(db, writeBatch)) === MARKS_A_BATCH);
  await prepareForLostJournal(db, id);
  const hasEnded = await observed(
    { step: 'hold ends' },
    () => transaction(db, async (tx) => (await lockToEnd(tx, id)) && (await mayEnd(tx)) && writeEnd(tx, id)),
    (outcome) => ({ outcome }),
  );
  await chargesHold.refresh();
  return hasEnded;
}

async function writeEnd(tx: Tx, id: string): Promise<boolean> {
  const hold = await markEnded(tx, id);
  if (hold === null) return false;
  await writeMissingMarks(tx, MARKS_A_BATCH);
  await guardAgainstLostJournal(tx, id);
  await holdEvents.record(tx, null, { type: 'charges.released', data: describe(hold, hold.endedAt) });
  return true;
}

function describe({ id, reason, begunAt }: HoldRow, endedAt: Date | null) {
  return { id, reason, since: begunAt, endedAt };
}

/**
 * Runs a transaction that the hold does not end during. What a pass finds is written in one: the hold that ends has seen it, or else it is
 * not written, and the next comparison misses it again. @returns false when the hold had ended; then nothing was done
 */
export async function whileHoldLasts(db: Db, id: string, work: (tx: Tx) => Promise<void>): Promise<boolean> {
  return transaction(db, async (tx) => {
    const isOpen = await lockHold(tx, id);
    if (isOpen) await work(tx);
    return isOpen;
  });
}
