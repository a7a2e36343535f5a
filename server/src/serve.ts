import type { Logger } from 'pino';
import { type App, buildApp } from './app.ts';
import { type ChargesHold, openChargesHold, watchChargesHold } from './continuity/hold/charges-hold.service.ts';
import {
  chooseJournalDirectory,
  type Journal,
  selectInstallation,
  startJournal,
} from './continuity/journal/journal.service.ts';
import { rememberExternalIds } from './customers/companies/external-ids/external-ids.service.ts';
import { EVENT_DATA, JOURNALED } from './features.ts';
import { holdWithCharges } from './gateways/gateways.hold.ts';
import { logFailures } from './gateways/gateways.log.ts';
import { openGateways, warnOfMissingFields } from './gateways/gateways.open.ts';
import { createGateways } from './gateways/gateways.ts';
import { ensureOperatorKey } from './identity/operators/operators.service.ts';
import { warmUpPasswords } from './identity/passwords/password.ts';
import {
  findProvidersWithoutCompany,
  findProvidersWithoutDomains,
} from './identity/providers/setup/providers.service.ts';
import { noteMailServer } from './mail/mail.service.ts';
import { confirmationsOf } from './payments/links/confirmations.ts';
import { systemClock } from './platform/calendar/clock.ts';
import type { Config } from './platform/config/config.ts';
import { StartError, withStartErrors } from './platform/config/start-error.ts';
import type { Db } from './platform/database/database.ts';
import type { ExternalIds } from './platform/http/company-ids/external-ids.ts';
import { startMetricsListener } from './platform/http/metrics/metrics-listener.ts';
import { openInstallationKeys } from './platform/keys/keys.installation.ts';
import { PROCESS_ID, startHeartbeat } from './platform/processes/processes.service.ts';
import { startNoticing } from './recovery/marks/watch.ts';
import { startWorkers } from './workers.ts';

/** Puts the API, the work in the background or both, as the role says, on a database that is ready. @throws StartError */
export async function serve(
  { config, db, metricsDb, logger }: { config: Config; db: Db; metricsDb: Db; logger: Logger },
  undo: AsyncDisposableStack,
): Promise<{ url: string; operatorKeyFile: string | null }> {
  const chargesHold = openChargesHold(config, db, systemClock());
  const opened = await withStartErrors(openGateways(config, undo));
  warnOfMissingFields(opened[0], logger);
  const held = holdWithCharges(logFailures(opened, logger), chargesHold.refuse);
  const keyring = await withStartErrors(openInstallationKeys(db, config));
  const gateways = createGateways(held, confirmationsOf({ config, keyring }));
  // The embedded server was started by this process, and has lost all others.
  const heartbeat = await withStartErrors(startHeartbeat(db, { isAlone: config.databaseUrl === undefined }));
  undo.defer(heartbeat.stop);
  const clock = systemClock;
  await withStartErrors(chargesHold.refresh());
  undo.defer(watchChargesHold(chargesHold, logger).stop);
  // Whoever does not serve the API knows no operator and no password.
  const [operatorKeyFile] =
    config.role === 'worker'
      ? [null]
      : await Promise.all([
          withStartErrors(ensureOperatorKey(db, config.dataDirectory, config.operatorKey, ownsDataDirectory(config))),
          warmUpPasswords(),
        ]);
  const externalIds = rememberExternalIds(db);
  const journal = await openJournal({ config, db, externalIds, logger, chargesHold }, undo);
  if (config.marksCheck === 'on') {
    const noticing = startNoticing({
      ...{ config, db, gateways: opened, journal, chargesHold, logger },
      mails: { keyring, config },
    });
    undo.defer((await withStartErrors(noticing)).stop);
  } else journal.begin();
  await withStartErrors(noteMailServer(db, config));
  if (config.smtpUrl === undefined) logger.info('SMTP_URL is not set: mails are kept for GET /operator/mails');
  const withoutCompany = await withStartErrors(findProvidersWithoutCompany(db, config));
  if (withoutCompany.length > 0) {
    logger.warn({ providers: withoutCompany }, 'no company has the id in SIGN_IN_…_COMPANY_ID: nobody can sign in');
  }
  const withoutDomains = await withStartErrors(findProvidersWithoutDomains(db, config));
  if (withoutDomains.length > 0) {
    logger.warn(
      { providers: withoutDomains },
      'providers of companies have no e-mail domains: they sign nobody new in',
    );
  }
  const events = { externalIds, eventData: EVENT_DATA };
  const context = { config, db, keyring, gateways, clock, logger, chargesHold, ...events, journal };
  const app: App = await buildApp({ ...context, metricsDb });
  undo.defer(app.drain);
  const url = await explainListening(app.server.listen({ host: config.host, port: config.port }), 'PORT', config);
  await listenForScrapes(app, config, logger, undo);
  if (config.role !== 'api') {
    const workers = startWorkers(context);
    // Nothing new is begun while the last requests are answered.
    undo.defer(async () => {
      await Promise.all([app.drain(), workers.stop()]);
    });
  }
  return { url, operatorKeyFile };
}

type JournalDependencies = {
  config: Config;
  db: Db;
  externalIds: ExternalIds;
  logger: Logger;
  chargesHold: ChargesHold;
};

/** What it can't write holds all charges, refunds and documents. */
async function openJournal(
  { config, db, externalIds, logger, chargesHold }: JournalDependencies,
  undo: AsyncDisposableStack,
): Promise<Journal> {
  const directory = await chooseJournalDirectory(await withStartErrors(selectInstallation(db)), config);
  if (config.journalDirectory === undefined) {
    logger.warn({ directory }, 'JOURNAL_DIR is not set: put the journal on another disk than the database');
  }
  const onProblem = (reason: string | null) => chargesHold.suspect('journal', reason);
  const journal = startJournal({
    ...{ db, directory, processId: PROCESS_ID, kinds: JOURNALED, readExternalIds: externalIds.of },
    logger,
    onProblem,
  });
  undo.defer(journal.stop);
  return journal;
}

/** Whoever shares keys from elsewhere may have a data directory of its own, and must not replace the operator's key by one from there. */
function ownsDataDirectory({ keys, keysFile }: Config): boolean {
  return keys === undefined && keysFile === undefined;
}

/** Where `METRICS_PORT` says so, the metrics stand at an address of their own too. */
async function listenForScrapes(
  { metrics }: App,
  { metricsHost: host, metricsPort: port, metricsToken: token }: Config,
  logger: Logger,
  undo: AsyncDisposableStack,
): Promise<void> {
  if (port === undefined) return;
  const listener = await explainListening(startMetricsListener(metrics, { host, port, token }), 'METRICS_PORT', {
    host,
    port,
  });
  undo.defer(listener.close);
  logger.info({ metricsUrl: listener.url }, 'serving metrics');
}

async function explainListening<T>(
  listening: Promise<T>,
  name: 'PORT' | 'METRICS_PORT',
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'EADDRINUSE':
        throw new StartError(
          `Another program listens on port ${port} of ${host}. Stop it, or set ${name} to another one.`,
        );
      case 'EACCES':
        throw new StartError(`This user is not allowed to listen on port ${port}. Set ${name} to one above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new StartError(`${name.replace('PORT', 'HOST')} ${host} is not an address of this machine.`);
      default:
        throw error;
    }
  }
}
