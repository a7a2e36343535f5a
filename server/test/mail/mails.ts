/** Writing, sending and reading mails. */
import { openMails } from '../../src/features.ts';
import { queueMail } from '../../src/mail/mail.service.ts';
import { startMailWorker } from '../../src/mail/sending/mail.worker.ts';
import { createSendMail } from '../../src/mail/sending/smtp.ts';
import type { Worker } from '../../src/platform/background/background.ts';
import { transaction } from '../../src/platform/database/database.ts';
import { openKeyring } from '../../src/platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../src/platform/operator-scope.ts';
import { expectStatus } from '../customers/actors.ts';
import { eventually } from '../harness/process.ts';
import type { TestService } from '../harness/service.ts';

/** The configuration of a service that sends its mails to this server. */
export function sendingTo({ url }: { url: string }) {
  return { smtpUrl: url, mailFrom: { name: '', address: 'billing@mail.example.com' } };
}

/** Starts the worker that sends mails. */
export function startSending({ config, database, chargesHold, gateways, server }: TestService): Worker {
  const { smtpUrl = '', mailFrom = { name: '', address: '' } } = config;
  const send = createSendMail({ smtpUrl, mailFrom });
  const keyring = openKeyring(config.dataDirectory);
  // What draws files and makes links asks for no more than this.
  const context = { db: database.db, gateways, keyring, config };
  const mails = openMails(context as unknown as Parameters<typeof openMails>[0]);
  return startMailWorker({ db: database.db, keyring, send, mails, chargesHold }, server.log);
}

type NewMail = Parameters<typeof queueMail>[2];

/** Writes a mail as other features do. */
export async function writeMail(
  { config, database }: TestService,
  mail: NewMail,
  companyId = OPERATOR_SCOPE,
): Promise<void> {
  const keyring = openKeyring(config.dataDirectory);
  await transaction(database.db, (tx) => queueMail(tx, companyId, mail, { keyring, config }));
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is the API's, which every answer is checked against
type ApiMail = any;

/** Returns the mails to an address with their texts, newest first. */
export async function mailsTo(service: TestService, address: string): Promise<ApiMail[]> {
  const token = service.operatorKey;
  const { data } = expectStatus(await service.call('GET', '/operator/mails?perPage=1000', { token }), 200).body;
  const ids = data.filter(({ to }: ApiMail) => to[0] === address).map(({ id }: ApiMail) => id);
  return Promise.all(
    ids.map(
      async (id: string) => expectStatus(await service.call('GET', `/operator/mails/${id}`, { token }), 200).body,
    ),
  );
}

/** Returns the token of the link in a text. */
export function tokenIn(text: string): string {
  const [, token] = /#token=([\w-]{43})(?![\w-])/.exec(text) ?? [];
  if (token === undefined) throw new Error(`There is no token in: ${text}`);
  return token;
}

/** Waits until the newest mail to an address has this status, and makes it due whenever it waits for another attempt. */
export async function becomes(service: TestService, address: string, status: string): Promise<ApiMail> {
  return eventually(
    async () => {
      await makeMailsDue(service);
      const [mail] = await mailsTo(service, address);
      return mail?.status === status && mail;
    },
    () => `a mail that is ${status}`,
  );
}

/** Makes the next attempt of every waiting mail due now. */
async function makeMailsDue({ database }: TestService): Promise<void> {
  await database.owner`
    UPDATE mails SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL AND lease IS NULL`;
}
