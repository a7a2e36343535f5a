import type { FastifyBaseLogger } from 'fastify';
import { insertAlertUnlessRecent } from '../../alerts/alerts.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { delayAfter } from '../../platform/queue/backoff.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import { cleanName } from '../templates/names.ts';
import { type MailContent, renderMail } from '../templates/render.ts';
import { openContent } from './content.ts';
import { type ClaimedMail, MAIL_JOBS, recordMailAttempt } from './mail.worker.queries.ts';
import type { SendMail, SendOutcome } from './smtp.ts';

export type SendingDependencies = {
  db: Db;
  keyring: Pick<Keyring, 'unseal'>;
  send: SendMail;
  chargesHold: { isDatabaseSuspect: () => boolean };
};

/** The delays after the first attempts; after all later ones it is the last of them, so that mails leave soon after an outage. */
const RETRY_DELAYS_SECONDS = [2, 5, 15, 60, 300, 600] as const;

const ALERT_INTERVAL_SECONDS = 24 * 60 * 60;

/**
 * Makes one attempt and records it. It never rejects: an attempt that is not recorded is repeated when its lease has
 * expired. @returns what the attempt found out about the mail server
 */
export async function deliverMail(
  dependencies: SendingDependencies,
  mail: ClaimedMail,
  { lease, stopping }: { lease: string; stopping: AbortSignal },
  log: FastifyBaseLogger,
): Promise<'reachable' | 'unreachable'> {
  const { db, keyring } = dependencies;
  const { companyId, id } = mail;
  try {
    const content = openContent(keyring, mail, mail.content);
    const outcome = await attempt(dependencies, mail, content, stopping);
    failpoint('after_mail_sent');
    const retryDelaySeconds = nextDelay(mail, outcome);
    const status = outcome.kind === 'sent' ? 'sent' : retryDelaySeconds === null ? 'failed' : 'queued';
    const forgetsContent = status !== 'queued' && content?.link !== null;
    await recordMailAttempt(db, { companyId, id, lease, status, retryDelaySeconds, forgetsContent });
    if (outcome.kind !== 'sent') await report(db, mail, outcome, status === 'failed', log);
    return outcome.kind === 'unreachable' ? 'unreachable' : 'reachable';
  } catch (error) {
    log.error({ err: error, companyId, mailId: id }, 'the outcome of a mail could not be recorded');
    return 'reachable';
  }
}

/** Without content, or past its time, a mail is not sent. */
async function attempt(
  { send }: SendingDependencies,
  { id, type, language, to, createdAt, secondsLeft }: ClaimedMail,
  content: MailContent | null,
  stopping: AbortSignal,
): Promise<SendOutcome> {
  if (content === null) return { kind: 'refused', failure: { ...NO_REPLY, code: 'CONTENT_UNREADABLE' } };
  if (secondsLeft <= 0) return { kind: 'deferred', failure: { ...NO_REPLY, code: 'TOO_LATE' } };
  const sellerName = cleanName(content.sellerName);
  return send({ id, to, createdAt, sellerName, ...renderMail(type, language, content) }, stopping);
}

const NO_REPLY = { responseCode: undefined, command: undefined };

/** Null when there is no next attempt. */
function nextDelay({ attempts, secondsLeft }: ClaimedMail, { kind }: SendOutcome): number | null {
  if (kind === 'sent' || kind === 'refused') return null;
  const delaySeconds = delayAfter(RETRY_DELAYS_SECONDS, Math.min(attempts, RETRY_DELAYS_SECONDS.length - 1));
  return delaySeconds !== undefined && delaySeconds < secondsLeft ? delaySeconds : null;
}

/**
 * Logs a failure, without addresses. A refused mail concerns its recipient; one that was given up may mean that no mail
 * leaves, so it raises an alert too, once a day.
 */
async function report(
  db: Db,
  { companyId, id, type, attempts }: ClaimedMail,
  { kind, failure }: Exclude<SendOutcome, { kind: 'sent' }>,
  isOver: boolean,
  log: FastifyBaseLogger,
): Promise<void> {
  const fields = { companyId, mailId: id, type, attempt: attempts + 1, ...failure };
  if (!isOver) {
    log.warn(fields, 'a mail could not be sent; it will be retried');
    const { code, responseCode, command } = failure;
    const error = [code, responseCode, command].filter((part) => part !== undefined).join(' ');
    await noteFailure(db, companyId, { kind: MAIL_JOBS.kind, record: id }, error);
    return;
  }
  log.error(fields, kind === 'refused' ? 'a mail was refused' : 'a mail could not be sent in time and was given up');
  if (kind === 'refused') return;
  const message =
    'Paydesk could not send a mail in time and has given up. The log says why. Check the mail server of SMTP_URL.';
  const alert = { kind: 'mail_given_up' as const, payment: null, message };
  await insertAlertUnlessRecent(db, OPERATOR_SCOPE, alert, ALERT_INTERVAL_SECONDS);
}
