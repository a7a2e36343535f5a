import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSeller } from '../../test/billing/invoice-documents.ts';
import { expectStatus, signUpAdmin, signUpCustomer } from '../../test/customers/actors.ts';
import { dumpDatabase } from '../../test/harness/database/database-dump.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { mailsTo, tokenIn, writeMail } from '../../test/mail/mails.ts';
import { runHousekeeping } from '../housekeeping.ts';
import { MAIL_TYPES, type MailType } from './templates/mails.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ publicUrl: 'https://billing.example.com' });
  await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
});
afterAll(async () => service?.stop());

const newAddress = () => `${randomUUID()}@example.com`;

/** Writes a mail, and reads what the operator sees. */
async function write(mail: Record<string, unknown>) {
  const to = newAddress();
  await writeMail(service, { to, language: '', ...mail } as unknown as Parameters<typeof writeMail>[1]);
  const [written] = await mailsTo(service, to);
  return written;
}

const token = 'a'.repeat(43);
const invitation = {
  type: 'invitation',
  token,
  validSeconds: 604_800,
  inviterName: 'Ada Lovelace',
  roleName: 'Viewer',
};

describe('without a mail server', () => {
  it('mails are kept for the operator, newest first, with their texts and links', async () => {
    const admin = await signUpAdmin(service);
    const customer = await signUpCustomer(service);
    const answer = await service.call('GET', '/operator/mails?perPage=2', { token: service.operatorKey });
    const { total, page, perPage, data } = expectStatus(answer, 200).body;
    expect({ page, perPage, total }).toEqual({ page: 1, perPage: 2, total: expect.any(Number) });
    expect(total).toBeGreaterThanOrEqual(2);
    expect(data).toEqual([
      {
        id: expect.any(String),
        companyId: null,
        companyExternalId: null,
        companyName: null,
        invoiceId: null,
        attachments: [],
        resendOf: null,
        to: [customer.email],
        type: 'verify_email',
        language: 'en',
        subject: 'Confirm your e-mail address for Northwind Interfaces Ltd',
        status: 'kept',
        createdAt: expect.stringMatching(/Z$/),
        sentAt: null,
      },
      expect.objectContaining({ companyId: admin.companyId, to: [admin.email] }),
    ]);
    const [mail] = await mailsTo(service, admin.email);
    expect(mail.text).toContain('https://billing.example.com/app/verify-email#token=');
    expect(mail.html).toContain(`#token=${tokenIn(mail.text)}"`);
  });

  it('are found by recipient, kind and status', async () => {
    const { email } = await signUpAdmin(service);
    const find = async (query: string) => {
      const answer = await service.call('GET', `/operator/mails?${query}`, { token: service.operatorKey });
      const { total, data } = expectStatus(answer, 200).body;
      expect(total).toBe(data.length);
      return data.map(({ to }: { to: string[] }) => to[0]);
    };
    expect(await find(`recipient=${email.toUpperCase()}`)).toEqual([email]);
    expect(await find(`recipient=${email}&type=verify_email&status=kept`)).toEqual([email]);
    for (const other of ['type=invitation', 'status=sent'])
      expect(await find(`recipient=${email}&${other}`)).toEqual([]);
    expect(await find(`recipient=${email.slice(1)}`)).toEqual([]);
  });

  // Security (Mails): The token of a link is in no table and no log
  it('no token of a link is in a table, a log or another answer', async () => {
    const { email } = await signUpAdmin(service);
    const [{ text }] = await mailsTo(service, email);
    const secret = tokenIn(text);
    const rows = await dumpDatabase(service.database.owner);
    expect(rows.some(({ table }) => table === 'mails')).toBe(true);
    expect(rows.filter((row) => row.text.includes(secret))).toEqual([]);
    expect(service.logs()).not.toContain(secret);
    const list = await service.call('GET', '/operator/mails?perPage=1000', { token: service.operatorKey });
    expect(list.text).not.toContain(secret);
  });

  it('a mail whose key is lost is listed without its text', async () => {
    const { id } = await write({ type: 'password_changed' });
    await service.database
      .owner`UPDATE mails SET content = set_byte(content, 40, 255 - get_byte(content, 40)) WHERE id = ${id}`;
    const answer = await service.call('GET', `/operator/mails/${id}`, { token: service.operatorKey });
    expect(expectStatus(answer, 200).body).toMatchObject({ status: 'kept', text: null, html: null });
  });

  it('what mails say is deleted after 30 days, with the tokens that have expired, and the mails after two years', async () => {
    const { owner, db } = service.database;
    const [old, recent] = [await signUpAdmin(service), await signUpAdmin(service)];
    const age = (interval: string) =>
      owner`UPDATE mails SET created_at = now() - ${interval}::interval WHERE company_id = ${old.companyId}`;
    const read = async ({ email }: { email: string }) => {
      const [{ id }] = await mailsTo(service, email);
      const { body } = await service.call('GET', `/operator/mails/${id}`, { token: service.operatorKey });
      return { type: body.type, hasText: body.text !== null, hasHtml: body.html !== null };
    };
    await age('31 days');
    await owner`UPDATE email_tokens SET expires_at = now() - interval '1 minute' WHERE user_id = ${old.userId}`;
    await runHousekeeping({ db, usageRetentionYears: 10 });
    expect(await read(old)).toEqual({ type: 'verify_email', hasText: false, hasHtml: false });
    expect(await read(recent)).toEqual({ type: 'verify_email', hasText: true, hasHtml: true });
    expect(await owner`SELECT content FROM mails WHERE company_id = ${old.companyId}`).toEqual([{ content: null }]);
    await age('2 years 1 day');
    await runHousekeeping({ db, usageRetentionYears: 10 });
    expect(await mailsTo(service, old.email)).toEqual([]);
    expect(await mailsTo(service, recent.email)).toHaveLength(1);
    const left = await owner`SELECT user_id FROM email_tokens WHERE user_id IN (${old.userId}, ${recent.userId})`;
    expect(left).toEqual([{ user_id: recent.userId }]);
  });
});

const WITHOUT_LINK: readonly MailType[] = [
  'password_changed',
  'email_kept',
  'passkey_added',
  'passkey_removed',
  'totp_enabled',
  'totp_disabled',
  'recovery_codes_replaced',
  'charges_held',
];

describe('the language of a mail', () => {
  it.each([
    ['', 'en', 'Your password'],
    ['en-GB', 'en', 'Your password'],
    ['de', 'de', 'Ihr Passwort'],
    ['de-Latn-AT', 'de', 'Ihr Passwort'],
    ['FR-ca', 'fr', 'Votre mot de passe'],
    ['es-419', 'es', 'Se ha cambiado su contraseña'],
    ['ja', 'en', 'Your password'],
    ['constructor', 'en', 'Your password'],
  ])('%j is %s', async (language, chosen, beginning) => {
    const mail = await write({ type: 'password_changed', language });
    expect([mail.language, mail.subject.slice(0, beginning.length)]).toEqual([chosen, beginning]);
    expect(mail.html).toContain(`<html lang="${chosen}">`);
  });

  it.each(['en', 'de', 'fr', 'es'])('every type of mail has a text in %s, with one link at most', async (language) => {
    const names = (name: string) => ({ passkeys: Array(7).fill(name), hasTotp: true, hasRecoveryCodes: true });
    const factors = { ended: names('Ended'), kept: names('Kept'), passkeyName: 'Added', withRecoveryCodes: true };
    const facts = { token, validSeconds: 86_400, newEmail: 'grace@example.com', companyName: 'Acme', ...factors };
    for (const type of MAIL_TYPES) {
      const mail = await write({
        ...invitation,
        ...facts,
        type,
        language,
        ...(WITHOUT_LINK.includes(type) ? { token: undefined } : {}),
      });
      const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
      expect(links.length).toBe(WITHOUT_LINK.includes(type) ? 0 : 1);
      for (const link of links) expect(mail.text.split(link)).toHaveLength(2);
      expect(mail.text).toContain('Northwind Interfaces Ltd');
      expect(`${mail.subject}\n${mail.text}${mail.html}`).not.toMatch(/undefined|null|NaN|[\u2068\u2069]/);
      if (type === 'email_changing') expect(mail.text).toContain('grace@example.com');
      if (type === 'passkey_added' || type === 'passkey_removed') expect(mail.text).toContain('Added');
      if (type === 'password_changed' || type === 'email_kept') expect(mail.text).toMatch(/Ended[\s\S]*Kept/);
    }
  });

  it.each(['en', 'de', 'fr', 'es'])(
    'the command of the mail about a hold is on a line of its own in %s',
    async (language) => {
      const { text, html } = await write({ type: 'charges_held', language });
      expect(text).toContain('\n\n    npm run paydesk -- reconcile --adopt\n\n');
      const [, command = ''] = html.match(/<p class="command" style="[^"]*">(.*)<\/p>/) ?? [];
      const words = 'npm run paydesk -- reconcile --adopt'.split(' ');
      expect(command).toBe(words.map((word) => `<span style="white-space:nowrap">${word}</span>`).join(' '));
    },
  );

  it('says how long a link works', async () => {
    const { text } = await write({ ...invitation, companyName: 'Acme' });
    expect(text).toContain('for 7 days');
    expect((await write({ type: 'reset_password', token, validSeconds: 3_600, language: 'de' })).text).toContain(
      '1 Stunde',
    );
  });
});

describe('names in a mail', () => {
  const invite = (inviterName: string, companyName = 'Acme') => write({ ...invitation, inviterName, companyName });

  it('are escaped', async () => {
    const { html, text } = await invite('<img src=x onerror=alert(1)> & "Co"');
    expect(html).not.toContain('<img');
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;Co&#34;');
    expect(text).toContain('<img src=x onerror=alert(1)> & "Co"');
  });

  it('are on one line, without control characters', async () => {
    const { subject, text } = await invite('Ada\r\nBcc: mallory@evil.example\u0000\u202e\u200bLovelace');
    expect(subject).toMatch(/^Ada Bcc: mallory@\S*evil\S*example Lovelace invites you to join Acme$/);
    expect(text).not.toMatch(/^Bcc/m);
  });

  // Security (Mails): A name adds no link and no HTML
  it('are no links of their own', async () => {
    const { text, html } = await invite('Win at https://evil.example/now', 'www.evil.example');
    for (const form of [text, html]) expect(form).not.toMatch(/evil\.example|https:\/\/e|www\.e/);
    const lookAlike = await invite('evil。example', 'www．evil．example／now');
    for (const form of [lookAlike.text, lookAlike.html])
      expect(form).not.toMatch(/evil。example|evil．example|example／now/);
  });

  // Security (Mails): An e-mail address adds no link
  it('are no links either where they are e-mail addresses', async () => {
    const notice = { type: 'email_changing' as const, token: 'x', validSeconds: 3600 };
    const { text, html } = await write({ ...notice, newEmail: 'evil.example/login?x=1@example.com' });
    for (const form of [text, html]) expect(form).not.toMatch(/evil\.example|example\/login/);
    expect((await write({ ...notice, newEmail: 'ada.lovelace+1@example.com' })).text).toContain(
      ' ada.lovelace+1@example.com.',
    );
  });

  it('that are long are cut between letters', async () => {
    const family = '👩‍👩‍👧';
    const { subject } = await invite(family.repeat(100));
    expect(subject).toBe(`${family.repeat(60)}… invites you to join Acme`);
  });

  it('that end with a full stop, or are cut, end a sentence without another one', async () => {
    const roleName = 'W'.repeat(61);
    const { text, html } = await write({ ...invitation, inviterName: 'Ada', companyName: 'Acme Inc.', roleName });
    expect(text).toContain('to join Acme Inc. at Northwind Interfaces Ltd in the role');
    expect(text).toContain(`the role ${'W'.repeat(60)}…\n`);
    expect(html).toContain(`the role <bdi>${'W'.repeat(60)}…</bdi></p>`);
  });

  it('that are written from right to left do not move what follows', async () => {
    const { html, text } = await invite('عادة לאב', 'Acme');
    expect(html).toContain('<bdi>عادة לאב</bdi> invites you to join <bdi>Acme</bdi>');
    expect(text).toContain('\u2068عادة לאב\u2069 invites you');
  });

  it('may be missing, if a key invites, the company has no name, or the installation has no seller', async () => {
    expect((await invite('Ada', '')).subject).toBe('Ada invites you to Northwind Interfaces Ltd');
    expect((await invite('', '')).subject).toBe('Northwind Interfaces Ltd invites you');
    await changeSeller(service, { name: '' });
    expect((await write({ type: 'password_changed' })).subject).toBe('Your password for Paydesk was changed');
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
  });
});
