import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSeller } from '../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { listMails, mailAbout, mailsAbout, readMail } from '../../../test/mail/money-mails.ts';
import { runHousekeeping } from '../../housekeeping.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ publicUrl: 'https://billing.example.com' });
  await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
});
afterAll(async () => service?.stop());

const operator = async (method: string, path: string, body?: object, token = service.operatorKey) =>
  service.call(method, `/operator${path}`, { token, ...(body === undefined ? {} : { body }) });

async function changeSettings(companyId: string, body: object): Promise<void> {
  expectStatus(await operator('PUT', `/companies/${companyId}/mail-settings`, body), 200);
}

/** Issues an invoice and reads the mail about it. */
async function issueTo(actor: Pick<Actor, 'companyId'>) {
  const invoice = await issueInvoice(service, actor.companyId);
  return { invoice, mail: await mailAbout(service, invoice.id, 'invoice_issued') };
}

async function createCompany(body: object): Promise<string> {
  return expectStatus(await operator('POST', '/companies', { name: 'Acme', ...body }), 201).body.id;
}

async function operatorKey(role: string): Promise<string> {
  return expectStatus(await operator('POST', '/keys', { name: randomUUID(), role }), 201).body.key;
}

describe('an invoice that is issued', () => {
  it('is mailed to the admins, with its PDF', async () => {
    const admin = await signUpAdmin(service);
    const { invoice, mail } = await issueTo(admin);
    const { data, total } = await listMails(service, `invoiceId=${invoice.id}`);
    expect(total).toBe(1);
    expect(data[0]).toEqual({
      id: mail.id,
      companyId: admin.companyId,
      companyExternalId: null,
      companyName: expect.any(String),
      invoiceId: invoice.id,
      type: 'invoice_issued',
      to: [admin.email],
      language: 'en',
      subject: `Invoice ${invoice.number} from Northwind Interfaces Ltd`,
      status: 'kept',
      attachments: [{ name: `${invoice.number}.pdf`, contentType: 'application/pdf', size: null }],
      resendOf: null,
      createdAt: expect.any(String),
      sentAt: null,
    });
    expect(mail.text).toContain(`Your invoice ${invoice.number} is attached to this e-mail as a PDF.`);
    expect(mail.text).toContain('Amount due: $48.00');
    expect(mail.text).toMatch(/Billing period: 1.–.31 October 2026/);
    expect(mail.html).toContain('<html lang="en">');
    // On a narrow screen the number does not break at its hyphen.
    expect(mail.html).toContain(`Your invoice <span style="white-space:nowrap">${invoice.number}</span> is attached`);
    const file = await fetch(`${service.url}/operator/mails/${mail.id}/attachments/0`, {
      headers: { authorization: `Bearer ${service.operatorKey}` },
    });
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await file.text()).slice(0, 5)).toBe('%PDF-');
    for (const index of ['1', 'x', '-1'])
      expect((await operator('GET', `/mails/${mail.id}/attachments/${index}`)).status).toBe(404);
  });

  it('that is undone leaves no mail', async () => {
    const { companyId } = await signUpAdmin(service);
    const refused = await operator('POST', '/invoices', { companyId, details: [] });
    expect(refused.status).toBe(400);
    expect((await listMails(service, `companyId=${companyId}&type=invoice_issued`)).total).toBe(0);
  });
});

describe('the mail settings', () => {
  it('say who gets the mails, in which language, and which not', async () => {
    const admin = await signUpAdmin(service);
    const { companyId, token } = admin;
    const read = async () => expectStatus(await service.call('GET', '/payments/mail-settings', { token }), 200).body;
    expect(await read()).toEqual({ recipients: [], language: 'en', disabled: [] });
    const body = { recipients: ['accounts@example.com', 'cfo@example.com'], language: 'de' };
    const changed = expectStatus(await service.call('PUT', '/payments/mail-settings', { token, body }), 200).body;
    expect(changed).toEqual({ ...body, disabled: [] });
    const { mail } = await issueTo(admin);
    expect(mail).toMatchObject({ to: body.recipients, language: 'de' });
    expect(mail.subject).toMatch(/^Rechnung .* von Northwind Interfaces Ltd$/);
    for (const address of ['CFO@example.com', 'accounts@example.com'])
      expect((await listMails(service, `companyId=${companyId}&recipient=${address}`)).data).toMatchObject([
        { id: mail.id },
      ]);
    await changeSettings(companyId, { disabled: ['invoice_issued', 'confirmation_needed', 'statement'] });
    const { id } = await issueInvoice(service, companyId);
    expect(await mailsAbout(service, id, 'invoice_issued')).toEqual([]);
    expect(await read()).toEqual({ ...body, disabled: ['invoice_issued', 'confirmation_needed', 'statement'] });
  });

  it.each([
    ['it', 'en'],
    ['fr', 'fr'],
    ['es', 'es'],
  ])('a mail to a company with the language %s is in %s', async (language, written) => {
    const admin = await signUpAdmin(service);
    await changeSettings(admin.companyId, { language });
    const { mail } = await issueTo(admin);
    expect(mail.language).toBe(written);
    expect(mail.html).toContain(`<html lang="${written}">`);
  });

  it.each([
    [{ recipients: ['x'] }, 'recipients[0]'],
    [{ recipients: Array.from({ length: 11 }, (_, place) => `a${place}@example.com`) }, 'recipients'],
    [{ recipients: ['a@example.com', 'A@example.com'] }, 'recipients[1]'],
    [{ language: 'xx' }, 'language'],
    [{ disabled: ['verify_email'] }, 'disabled[0]'],
  ])('%j is refused', async (body, field) => {
    const { token } = await signUpAdmin(service);
    const answer = await service.call('PUT', '/payments/mail-settings', { token, body });
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  });

  it('without members the mails go to the company’s e-mail, and without one an alert says so once', async () => {
    const reached = await createCompany({ email: 'office@example.com' });
    expect((await issueTo({ companyId: reached })).mail.to).toEqual(['office@example.com']);
    const companyId = await createCompany({});
    for (const _ of [1, 2]) await issueInvoice(service, companyId);
    expect((await listMails(service, `companyId=${companyId}`)).total).toBe(0);
    const { data } = expectStatus(await operator('GET', `/alerts?companyId=${companyId}`), 200).body;
    expect(data).toMatchObject([{ kind: 'mail_without_recipient', companyId }]);
  });

  it('a change is in the audit log of the company', async () => {
    const { companyId, token } = await signUpAdmin(service);
    await changeSettings(companyId, { language: 'fr' });
    const { data } = expectStatus(await service.call('GET', '/company/audit-log', { token }), 200).body;
    expect(data[0]).toMatchObject({
      action: 'mail_settings.updated',
      changes: { before: { language: 'en' }, after: { language: 'fr' } },
    });
  });
});

describe('the operator', () => {
  it('sends a mail again, to the same or to others', async () => {
    const admin = await signUpAdmin(service);
    const { invoice, mail } = await issueTo(admin);
    const again = expectStatus(await operator('POST', `/mails/${mail.id}/resend`), 201).body;
    const { id: _id, createdAt: _at, ...same } = mail;
    expect(again).toMatchObject({ ...same, resendOf: mail.id });
    const body = { to: ['ada@example.com', 'grace@example.com'] };
    const other = expectStatus(await operator('POST', `/mails/${again.id}/resend`, body), 201).body;
    expect(other).toMatchObject({ to: body.to, resendOf: again.id, subject: mail.subject });
    expect((await listMails(service, `invoiceId=${invoice.id}`)).total).toBe(3);
    const { data } = expectStatus(
      await operator('GET', `/audit-log?companyId=${admin.companyId}&action=mail.resent`),
      200,
    ).body;
    expect(data.map(({ target }: { target: { id: string } }) => target.id)).toEqual([other.id, again.id]);
  });

  it('shows a mail as it would be written, and keeps nothing', async () => {
    const admin = await signUpAdmin(service);
    const { invoice } = await issueTo(admin);
    const preview = async (body: object) => operator('POST', '/mails/preview', body);
    for (const type of ['invoice_issued', 'receipt', 'payment_failed', 'card_expires']) {
      const shown = expectStatus(await preview({ type, invoiceId: invoice.id, language: 'de' }), 200).body;
      expect(shown).toMatchObject({ type, language: 'de' });
      expect(`${shown.subject}${shown.text}${shown.html}`).not.toMatch(/undefined|null|NaN/);
      expectStatus(await preview({ type, companyId: admin.companyId }), 200);
    }
    const polish = expectStatus(await preview({ type: 'receipt', invoiceId: invoice.id, language: 'pl' }), 200).body;
    expect(polish).toMatchObject({ language: 'en' });
    expect((await listMails(service, `invoiceId=${invoice.id}`)).total).toBe(1);
    for (const [body, field] of [
      [{ type: 'receipt', invoiceId: invoice.id, language: 'xx' }, 'language'],
      [{ type: 'receipt' }, 'invoiceId'],
      [{ type: 'receipt', invoiceId: invoice.id, companyId: admin.companyId }, 'companyId'],
      [{ type: 'receipt', invoiceId: randomUUID() }, 'invoiceId'],
      [{ type: 'receipt', companyId: randomUUID() }, 'companyId'],
      [{ type: 'statement', invoiceId: invoice.id }, 'type'],
      [{ type: 'verify_email', invoiceId: invoice.id }, 'type'],
    ] as const) {
      const refused = await preview(body);
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, field]);
    }
  });

  // Security (Mails): Mails about accounts are for admins alone
  it('with the role viewer or finance reads mails about money, and no others', async () => {
    const admin = await signUpAdmin(service);
    const { mail } = await issueTo(admin);
    const [viewer, finance] = [await operatorKey('viewer'), await operatorKey('finance')];
    const [account] = (await listMails(service, `recipient=${admin.email}&type=verify_email`)).data;
    for (const token of [viewer, finance]) {
      const { total, data } = await listMails(service, `recipient=${admin.email}`, token);
      expect([total, data.map(({ id }: { id: string }) => id)]).toEqual([1, [mail.id]]);
      expect((await listMails(service, 'type=verify_email', token)).total).toBe(0);
      expectStatus(await operator('GET', `/mails/${mail.id}`, undefined, token), 200);
      expectStatus(await operator('GET', `/mails/${account.id}`, undefined, token), 403);
      expectStatus(await operator('POST', `/mails/${account.id}/resend`, {}, token), 403);
    }
    expectStatus(await operator('POST', `/mails/${mail.id}/resend`, {}, viewer), 403);
    expectStatus(await operator('POST', `/mails/${mail.id}/resend`, {}, finance), 201);
    const refused = await operator('POST', `/mails/${account.id}/resend`, {});
    expect([refused.status, refused.body.error.code]).toEqual([409, 'mail_not_about_money']);
    expectStatus(await operator('GET', '/mails', undefined, await operatorKey('integration')), 403);
  });

  // Security (Mails): The file of the mails has those alone that the caller may list, and not what they say
  it('reads the list as a file, with its filters, and what the role may see', async () => {
    const admin = await signUpAdmin(service);
    const { companyId } = admin;
    await changeSettings(companyId, { recipients: ['accounts@example.com', 'cfo@example.com'] });
    const { mail } = await issueTo(admin);
    const { owner } = service.database;
    // More than are read at once.
    await owner`
      INSERT INTO mails SELECT (jsonb_populate_record(mails, jsonb_build_object('id', time_ordered_id()))).*
      FROM mails CROSS JOIN generate_series(1, 1200) WHERE id = ${mail.id}`;
    const read = async (query: string, token?: string) => {
      const file = expectStatus(await operator('GET', `/mails.csv?${query}`, undefined, token), 200);
      expect(file.headers.get('content-disposition')).toBe('attachment; filename="mails.csv"');
      return file.text.trimEnd().split('\r\n').slice(1);
    };
    const rows = await read(`companyId=${companyId}`);
    const first = await listMails(service, `companyId=${companyId}&perPage=1000`);
    const second = await listMails(service, `companyId=${companyId}&perPage=1000&page=2`);
    const listed = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect([rows.length, rows.map((row) => row.split(',')[1])]).toEqual([1_202, listed]);
    expect(rows.find((row) => row.includes(mail.id))).toMatch(
      new RegExp(
        `^${mail.createdAt},${mail.id},${companyId},,.*,${mail.invoiceId},invoice_issued,"accounts@example.com, cfo@example.com",en,` +
          `${mail.subject},kept,${mail.attachments[0].name},,$`,
      ),
    );
    expect(await read(`companyId=${companyId}&type=verify_email`)).toHaveLength(1);
    const viewer = await operatorKey('viewer');
    expect(await read(`companyId=${companyId}`, viewer)).toHaveLength(1_201);
    expect(await read('type=verify_email', viewer)).toEqual([]);
    expectStatus(await operator('GET', '/mails.csv', undefined, await operatorKey('integration')), 403);
  });

  it('finds mails by company, invoice, type, status and time', async () => {
    const admin = await signUpAdmin(service);
    const { invoice, mail } = await issueTo(admin);
    const find = async (query: string) => (await listMails(service, query)).total;
    expect(await find(`companyId=${admin.companyId}`)).toBe(2);
    expect(await find(`companyId=${admin.companyId}&type=invoice_issued&status=kept`)).toBe(1);
    expect(await find(`invoiceId=${invoice.id}&from=${mail.createdAt}`)).toBe(1);
    expect(await find(`invoiceId=${invoice.id}&to=${mail.createdAt}`)).toBe(0);
    expect(await find(`companyId=${(await signUpAdmin(service)).companyId}&type=invoice_issued`)).toBe(0);
  });
});

it('what a mail about money says is deleted after 30 days, and the mail after two years', async () => {
  const { owner, db } = service.database;
  const { mail } = await issueTo(await signUpAdmin(service));
  const age = (interval: string) =>
    owner`UPDATE mails SET created_at = now() - ${interval}::interval WHERE id = ${mail.id}`;
  await age('31 days');
  await runHousekeeping({ db, usageRetentionYears: 10 });
  expect(await readMail(service, mail.id)).toMatchObject({
    subject: mail.subject,
    to: mail.to,
    text: null,
    html: null,
  });
  for (const [method, path] of [
    ['POST', 'resend'],
    ['GET', 'attachments/0'],
  ] as const) {
    const refused = await operator(method, `/mails/${mail.id}/${path}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'mail_expired']);
  }
  await age('731 days');
  await runHousekeeping({ db, usageRetentionYears: 10 });
  expect((await operator('GET', `/mails/${mail.id}`)).status).toBe(404);
});
