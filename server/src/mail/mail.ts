import type { Logger } from 'pino';
import type { Config } from '../platform/config/config.ts';
import type { Db } from '../platform/database/database.ts';
import type { AnyFeature } from '../platform/feature/feature.ts';
import type { MailCatalogue } from '../platform/feature/mail-declaration.ts';
import type { Keyring } from '../platform/keys/keys.ts';
import { removeOldMailCounts } from './mail.public.queries.ts';
import { registerMailRoutes } from './mail.routes.ts';
import { emptyOldMails, MAIL_JOBS, readMailQueue, removeOldMails } from './sending/mail.worker.queries.ts';
import { startMailWorker } from './sending/mail.worker.ts';
import { createSendMail } from './sending/smtp.ts';

type WorkContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  logger: Logger;
  chargesHold: { isDatabaseSuspect: () => boolean };
  mails: MailCatalogue;
};

/** The mail feature: mails to users, sent over SMTP or kept for the operator. */
export const mail = {
  routes: registerMailRoutes,
  workers: ({ config: { smtpUrl, mailFrom }, db, keyring, logger, chargesHold, mails }: WorkContext) =>
    smtpUrl === undefined || mailFrom === undefined
      ? []
      : [startMailWorker({ db, keyring, send: createSendMail({ smtpUrl, mailFrom }), mails, chargesHold }, logger)],
  jobTables: [MAIL_JOBS],
  removeOld: [removeOldMails, emptyOldMails, removeOldMailCounts],
  workQueues: readMailQueue,
} satisfies AnyFeature;
