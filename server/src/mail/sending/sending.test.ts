import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeSeller } from '../../../test/billing/invoice-documents.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { eventually } from '../../../test/harness/process.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { type MailServer, startMailServer } from '../../../test/mail/mail-server.ts';
import { becomes, mailsTo, sendingTo, startSending, tokenIn, writeMail } from '../../../test/mail/mails.ts';
import type { Worker } from '../../platform/background/background.ts';

let mailServer: MailServer;
let service: TestService;
let worker: Worker;
beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startTestService({ ...sendingTo(mailServer), publicUrl: 'https://billing.example.com' });
  await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
  worker = startSending(service);
});
afterEach(() => mailServer.behave('accept'));
afterAll(async () => {
  await worker?.stop();
  await service?.stop();
  await mailServer?.stop();
});

const newAddress = () => `${randomUUID()}@example.com`;
const receivedBy = (address: string) => mailServer.received().filter(({ recipients }) => recipients.includes(address));

/** Writes a mail without a link, for a company if it is given. @returns its address */
async function write(companyId?: string, to = newAddress()): Promise<string> {
  await writeMail(service, { type: 'password_changed', to, language: '' }, companyId);
  return to;
}

describe('a mail', () => {
  // Security (Mails): The content of a mail with a link is deleted once it was sent, and not shown to the operator
  it('is sent after its change, as text and HTML, from the seller, and the operator sees its status without the link', async () => {
    const { email, companyId } = await signUpAdmin(service);
    const [received] = await eventually(() => receivedBy(email).length > 0 && receivedBy(email));
    const { id, ...mail } = await becomes(service, email, 'sent');
    expect(received?.recipients).toEqual([email]);
    expect(received?.parsed).toMatchObject({
      from: { value: [{ name: 'Northwind Interfaces Ltd', address: 'billing@mail.example.com' }] },
      to: { value: [{ address: email }] },
      subject: 'Confirm your e-mail address for Northwind Interfaces Ltd',
      messageId: `<${id}@mail.example.com>`,
      date: new Date(Math.floor(Date.parse(mail.createdAt) / 1_000) * 1_000),
    });
    expect(received?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
    const { text = '', html } = received?.parsed ?? {};
    const link = `https://billing.example.com/app/verify-email#token=${tokenIn(text)}`;
    expect(text).toContain(link);
    expect(html).toContain(`href="${link}"`);
    expect(mail).toMatchObject({
      companyId,
      status: 'sent',
      sentAt: expect.stringMatching(/Z$/),
      text: null,
      html: null,
    });
    const [row] = await service.database.owner`SELECT content FROM mails WHERE id = ${id}`;
    expect(row).toEqual({ content: null });
    expectStatus(await service.call('POST', '/auth/email/verify', { body: { token: tokenIn(text) } }), 204);
  });

  it('without a link can be read after it was sent', async () => {
    const mail = await becomes(service, await write(), 'sent');
    expect(mail.text).toContain('was changed');
  });

  // Security (Mails): A name adds no header and no recipient
  it('has one recipient and no other header, whatever the seller is called', async () => {
    await changeSeller(service, {
      name: 'Northwind\r\nBcc: mallory@evil.example\r\n\r\nHello, "you" <b@evil.example>',
    });
    const address = await write();
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
    const [received] = await eventually(() => receivedBy(address).length > 0 && receivedBy(address));
    expect(received?.recipients).toEqual([address]);
    expect(received?.parsed.bcc).toBeUndefined();
    expect(received?.parsed.from?.value.map((from) => from.address)).toEqual(['billing@mail.example.com']);
    expect([...(received?.parsed.headers.keys() ?? [])].sort()).toEqual([
      ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
    ]);
  });

  it('arrives with a long name, and with one that is written from right to left', async () => {
    for (const name of ['X'.repeat(255), 'شركة الواجهات الشمالية המחודשת']) {
      await changeSeller(service, { name });
      const address = await write();
      const [received] = await eventually(() => receivedBy(address).length > 0 && receivedBy(address));
      expect(received?.parsed.from?.value[0]?.name).toBe(name.length > 60 ? `${'X'.repeat(60)}…` : name);
      expect(received?.parsed.subject).toContain(name.slice(0, 60));
    }
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
  });
});

describe('when the mail server', () => {
  it('is down, mails wait and nothing else does; they leave once it is back', async () => {
    await mailServer.takeAway();
    const { email, token } = await signUpAdmin(service);
    await eventually(async () => service.logs().includes('ECONNREFUSED') || service.logs().includes('ESOCKET'));
    expectStatus(await service.call('GET', '/labels', { token }), 200);
    expect(await mailsTo(service, email)).toMatchObject([{ status: 'queued', sentAt: null }]);
    await mailServer.bringBack();
    await becomes(service, email, 'sent');
    expect(receivedBy(email)).toHaveLength(1);
  });

  it('takes a mail and its answer is lost, the mail is sent again with the same Message-ID', async () => {
    mailServer.behave('lose');
    const address = await write();
    await eventually(() => receivedBy(address).length > 0);
    mailServer.behave('accept');
    const { id } = await becomes(service, address, 'sent');
    const ids = receivedBy(address).map(({ parsed }) => parsed.messageId);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids)).toEqual(new Set([`<${id}@mail.example.com>`]));
  });

  it.each([
    ['MAIL FROM', 451],
    ['RCPT TO', 450],
    ['DATA', 421],
    ['DATA', 503],
  ] as const)('answers %s with %i, it gets the mail again', async (command, code) => {
    const address = newAddress();
    const subject = command === 'MAIL FROM' ? undefined : address;
    mailServer.behave({ command, code, message: 'Try again later' }, subject);
    await write(undefined, address);
    await eventually(async () => {
      const [row] = await service.database.owner`SELECT attempts FROM mails WHERE recipients ->> 0 = ${address}`;
      return row?.attempts > 0;
    });
    mailServer.behave('accept', subject);
    await becomes(service, address, 'sent');
    expect(receivedBy(address)).toHaveLength(1);
  });

  // Security (Mails): The mail server's replies, which repeat addresses, are not logged
  it.each([
    ['MAIL FROM', 552],
    ['RCPT TO', 550],
    ['DATA', 554],
  ] as const)(
    'answers %s with %i, the mail has failed, and the log says so without the address',
    async (command, code) => {
      const { email } = await signUpAdmin(service);
      await becomes(service, email, 'sent');
      const address = newAddress();
      const subject = command === 'MAIL FROM' ? undefined : address;
      mailServer.behave({ command, code, message: `no, ${address}` }, subject);
      await writeMail(service, {
        type: 'reset_password',
        to: address,
        language: '',
        token: 'secret-token',
        validSeconds: 3_600,
      });
      const { id } = await becomes(service, address, 'failed');
      mailServer.behave('accept', subject);
      const [row] = await service.database.owner`SELECT content, next_attempt_at FROM mails WHERE id = ${id}`;
      expect(row).toEqual({ content: null, next_attempt_at: null });
      expect(service.logs()).toMatch(new RegExp(`"mailId":"${id}".*"responseCode":${code}.*a mail was refused`));
      for (const secret of [address, 'secret-token']) expect(service.logs()).not.toContain(secret);
    },
  );

  it('hangs with all mails of one company, those of another leave', async () => {
    const slow = await signUpAdmin(service);
    await becomes(service, slow.email, 'sent');
    const addresses = Array.from({ length: 6 }, newAddress);
    for (const address of addresses) mailServer.behave('hang', address);
    for (const address of addresses) await write(slow.companyId, address);
    await eventually(() => addresses.filter((address) => mailServer.attempts(address) > 0).length === 4);
    const other = await write();
    await eventually(() => receivedBy(other).length === 1);
    expect(addresses.filter((address) => mailServer.attempts(address) > 0)).toHaveLength(4);
    for (const address of addresses) mailServer.behave('accept', address);
    await mailServer.takeAway();
    await mailServer.bringBack();
    for (const address of addresses) await becomes(service, address, 'sent');
  });
});

describe('a mail that waits', () => {
  it('is given up when its time is over, with one alert a day', async () => {
    mailServer.behave({ command: 'DATA', code: 450, message: 'Later' });
    const addresses = [await write(), await write()];
    for (const address of addresses) await eventually(() => mailServer.attempts(address) > 0);
    for (const address of addresses) {
      await service.database.owner`UPDATE mails SET give_up_at = now() WHERE recipients ->> 0 = ${address}`;
      await becomes(service, address, 'failed');
    }
    const answer = await service.call('GET', '/operator/alerts?kind=mail_given_up', { token: service.operatorKey });
    expect(expectStatus(answer, 200).body).toMatchObject({ total: 1, data: [{ companyId: null, paymentId: null }] });
  });

  it('stays while the database holds charges, unless it says so, and leaves afterwards', async () => {
    const { owner } = service.database;
    const [{ id } = {}] =
      await owner`INSERT INTO charges_holds (id, reason) VALUES (${randomUUID()}, 'A test') RETURNING id`;
    await service.chargesHold.refresh();
    const [held, alsoHeld] = [await write(), await write()];
    const telling = newAddress();
    await writeMail(service, { type: 'charges_held', to: telling, language: '' });
    await becomes(service, telling, 'sent');
    await becomes(service, held, 'queued');
    const [row] =
      await owner`SELECT count(*)::int AS tried FROM mails WHERE status = 'queued' AND (attempts > 0 OR lease IS NOT NULL)`;
    expect(row).toEqual({ tried: 0 });
    await owner`UPDATE charges_holds SET ended_at = now() WHERE id = ${id ?? null}`;
    await service.chargesHold.refresh();
    for (const address of [held, alsoHeld]) await becomes(service, address, 'sent');
  });

  it('leaves although the database’s clock was set back', async () => {
    await mailServer.takeAway();
    const address = await write();
    await worker.stop();
    await service.database.owner`
      UPDATE mails SET attempted_at = now() + interval '1 hour', next_attempt_at = now() + interval '1 hour'
      WHERE recipients ->> 0 = ${address}`;
    await mailServer.bringBack();
    worker = startSending(service);
    await eventually(() => receivedBy(address).length === 1);
  });

  it('is in the metrics', async () => {
    await worker.stop();
    await write();
    const { text } = await service.call('GET', '/metrics', { token: service.operatorKey });
    expect(text).toMatch(/paydesk_work_queue_depth\{queue="mails"\} 1\b/);
    worker = startSending(service);
  });
});
