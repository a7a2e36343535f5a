import type { FastifyBaseLogger } from 'fastify';
import { insertAlertUnlessRecent } from '../../alerts/alerts.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { hasCode } from '../../platform/errors.ts';
import { failpoint } from '../../platform/failpoints.ts';
import type { MailCatalogue } from '../../platform/feature/mail-declaration.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { delayAfter } from '../../platform/queue/backoff.ts';
import { noteFailure } from '../../platform/queue/failures.service.ts';
import { type DrawnFile, drawFiles, renderMoney } from '../money/render.ts';
import type { MailType } from '../templates/mails.ts';
import { cleanName } from '../templates/names.ts';
import { type RenderedMail, renderMail } from '../templates/render.ts';
import { openContent } from './content.ts';
import { type ClaimedMail, MAIL_JOBS, recordMailAttempt } from './mail.worker.queries.ts';
import type { SendMail, SendOutcome } from './smtp.ts';

export type SendingDependencies = {
  db: Db;
  keyring: Pick<Keyring, 'unseal'>;
  send: SendMail;
  /** The mails that features declare. */
  mails: MailCatalogue;
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
  const { db } = dependencies;
  const { companyId, id } = mail;
  try {
    const content = await readToSend(dependencies, mail);
    const outcome = content === 'busy' ? BUSY : await attempt(dependencies, mail, content, stopping);
    failpoint('after_mail_sent');
    const retryDelaySeconds = nextDelay(mail, outcome);
    const status = outcome.kind === 'sent' ? 'sent' : retryDelaySeconds === null ? 'failed' : 'queued';
    const { hasSecret = content === null, files = [] } = content === 'busy' ? {} : (content ?? {});
    const forgetsContent = status !== 'queued' && hasSecret;
    const sizes = files.map((file) => file.content.byteLength);
    await recordMailAttempt(db, { companyId, id, lease, status, retryDelaySeconds, forgetsContent, sizes });
    if (outcome.kind !== 'sent') await report(db, mail, outcome, status === 'failed', log);
    return outcome.kind === 'unreachable' ? 'unreachable' : 'reachable';
  } catch (error) {
    log.error({ err: error, companyId, mailId: id }, 'the outcome of a mail could not be recorded');
    return 'reachable';
  }
}

/** `hasSecret`: it has a link that opens an account. */
type ReadMail = { sellerName: string; rendered: RenderedMail; files: DrawnFile[]; hasSecret: boolean };

/** Reads what a mail says and draws its files; null when its content can't be read any more, `busy` when no file can be drawn now. */
async function readToSend(
  { keyring, mails }: SendingDependencies,
  mail: ClaimedMail,
): Promise<ReadMail | null | 'busy'> {
  const { type, language, content: sealed, facts } = mail;
  if (facts !== null) {
    const money = { ...mail, facts };
    const rendered = await renderMoney(mails, money);
    if (rendered === null) return null;
    try {
      return { sellerName: facts.sellerName, rendered, files: await drawFiles(mails, money), hasSecret: false };
    } catch (error) {
      if (hasCode(error, 'service_unavailable')) return 'busy';
      throw error;
    }
  }
  const content = sealed === null ? null : openContent(keyring, mail, sealed);
  if (content === null) return null;
  const rendered = renderMail(type as MailType, language, content);
  return { sellerName: content.sellerName, rendered, files: [], hasSecret: content.link !== null };
}

/** Without content, or past its time, a mail is not sent. */
async function attempt(
  { send }: SendingDependencies,
  { id, to, createdAt, secondsLeft }: ClaimedMail,
  content: ReadMail | null,
  stopping: AbortSignal,
): Promise<SendOutcome> {
  if (content === null) return { kind: 'refused', failure: { ...NO_REPLY, code: 'CONTENT_UNREADABLE' } };
  if (secondsLeft <= 0) return { kind: 'deferred', failure: { ...NO_REPLY, code: 'TOO_LATE' } };
  const { sellerName, rendered, files } = content;
  return send({ id, to, createdAt, sellerName: cleanName(sellerName), ...rendered, files }, stopping);
}

const NO_REPLY = { responseCode: undefined, command: undefined };
const BUSY: SendOutcome = { kind: 'deferred', failure: { ...NO_REPLY, code: 'FILE_NOT_DRAWN' } };

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
