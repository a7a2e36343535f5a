import { randomUUID } from 'node:crypto';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signUpAdmin } from '../../../test/customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { startInProcess } from '../../../test/harness/in-process.ts';
import { selfSignedCertificate } from '../../../test/harness/network/certificate.ts';
import { endProcesses, eventually, startPaydesk } from '../../../test/harness/process.ts';
import { type MailServer, startMailServer } from '../../../test/mail/mail-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterEach(endProcesses);
afterAll(() => database?.drop());

const MAIL_FROM = 'Northwind Billing <billing@mail.example.com>';

async function serve(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mailServer = await startMailServer(options);
  onTestFinished(mailServer.stop);
  return mailServer;
}

function certificate() {
  const { key, cert } = selfSignedCertificate();
  return { key: key.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

/** Starts Paydesk with this mail server, and signs somebody up. */
async function signUp(smtpUrl: string) {
  const paydesk = await startInProcess({ DATABASE_URL: database.url, SMTP_URL: smtpUrl, MAIL_FROM });
  onTestFinished(paydesk.stop);
  const { email } = await signUpAdmin(paydesk.service);
  const attempts = () => paydesk.logged().filter((line) => line.msg === 'a mail could not be sent; it will be retried');
  return { email, logged: paydesk.logged, attempts };
}

describe('the connection to the mail server', () => {
  it('uses STARTTLS when the server offers it', async () => {
    const mailServer = await serve({ ...certificate(), disabledCommands: ['AUTH'] });
    await signUp(mailServer.url);
    const [mail] = await eventually(() => mailServer.received().length > 0 && mailServer.received());
    expect(mail?.isEncrypted).toBe(true);
    expect(mail?.parsed.from?.value).toEqual([{ name: 'Northwind Billing', address: 'billing@mail.example.com' }]);
  });

  it('may be TLS from the start', async () => {
    const mailServer = await serve({ ...certificate(), secure: true, disabledCommands: ['AUTH'] });
    await signUp(mailServer.url.replace('smtp:', 'smtps:'));
    const [mail] = await eventually(() => mailServer.received().length > 0 && mailServer.received());
    expect(mail?.isEncrypted).toBe(true);
  });

  // Security (Mails): Without TLS nothing is sent where TLS is required
  it('is not used without TLS where that is required', async () => {
    const mailServer = await serve();
    const { attempts } = await signUp(`${mailServer.url}/?requireTLS=true`);
    await eventually(() => attempts().length > 0);
    expect(attempts()[0]).toMatchObject({ code: 'ETLS' });
    expect(mailServer.received()).toEqual([]);
  });

  // Security (Mails): The password of the mail server is in no log
  it('logs in with the user and password of SMTP_URL', async () => {
    const mailServer = await serve({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) =>
        done(null, password === 'right:p@ss' ? { user: username } : { message: 'no' }),
    });
    const { attempts, logged } = await signUp(mailServer.url.replace('//', '//ada:wrong-p%40ss@'));
    await eventually(() => attempts().length > 0);
    expect(attempts()[0]).toMatchObject({ code: 'EAUTH', responseCode: 535 });
    expect(JSON.stringify(logged())).not.toMatch(/wrong-p|right:p/);
    await signUp(mailServer.url.replace('//', '//ada:right%3Ap%40ss@'));
    const [mail] = await eventually(() => mailServer.received().length > 0 && mailServer.received());
    expect(mail?.user).toBe('ada');
  });

  it('is none without SMTP_URL, and the log says so', async () => {
    const paydesk = await startInProcess({ DATABASE_URL: database.url });
    await paydesk.stop();
    expect(paydesk.logged().filter((line) => /^SMTP_URL is not set/.test(String(line.msg)))).toHaveLength(1);
  });
});

it('after a process dies between a mail and its record, another one sends it again with the same Message-ID', async () => {
  const mailServer = await serve();
  const own = await cloneDatabase();
  onTestFinished(own.drop);
  const environment = { DATABASE_URL: own.url, SMTP_URL: mailServer.url, MAIL_FROM };
  const first = await startPaydesk({ ...environment, FAILPOINTS: 'after_mail_sent' });
  const signedUp = signUpAdmin(first.service, `${randomUUID()}@example.com`).catch(() => undefined);
  expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await signedUp;
  expect(mailServer.received()).toHaveLength(1);

  await startPaydesk({ ...environment, DATA_DIR: first.dataDirectory, OPERATOR_KEY: first.service.operatorKey });
  await eventually(async () => {
    const [row] = await own.owner`SELECT status FROM mails`;
    return row?.status === 'sent';
  });
  const ids = mailServer.received().map(({ parsed }) => parsed.messageId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
