import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { openSession } from '../../../test/identity/customer-sessions.ts';
import { mailAbout, readMail } from '../../../test/mail/money-mails.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

const PUBLIC_URL = 'https://billing.example.com';
const DAY_MS = 86_400_000;

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ publicUrl: PUBLIC_URL });
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

type By = { method?: string; token?: string };

const link = (invoiceId: string, { method = 'GET', token = admin.token }: By = {}) =>
  service.call(method, `/payments/orders/${invoiceId}/link`, { token });
const operatorLink = (invoiceId: string, { method = 'GET', token = service.operatorKey }: By = {}) =>
  service.call(method, `/operator/invoices/${invoiceId}/link`, { token });
const issue = () => issueInvoice(service, admin.companyId);

async function operatorKey(role: string): Promise<string> {
  const body = { name: randomUUID(), role };
  return expectStatus(await service.call('POST', '/operator/keys', { token: service.operatorKey, body }), 201).body.key;
}

describe('the link of an invoice', () => {
  it('is made once, and is the same for the company and the operator', async () => {
    const { id } = await issue();
    await service.database.owner`UPDATE invoices SET due_at = '2030-01-01T00:00:00Z' WHERE id = ${id}`;
    const [first, ...others] = (await Promise.all([link(id), link(id), operatorLink(id), operatorLink(id)])).map(
      (answer) => expectStatus(answer, 200).body,
    );
    for (const other of others) expect(other).toEqual(first);
    expect(Object.keys(first)).toEqual(['url', 'createdAt', 'expiresAt']);
    expect(first.url).toMatch(/^https:\/\/billing\.example\.com\/pay\/[\w.-]{32,512}$/);
    expect(Date.parse(first.expiresAt)).toBe(Date.parse('2030-01-31T00:00:00Z'));
  });

  it('lasts 30 days from when it was made where the invoice was due before', async () => {
    const { id } = await issue();
    await service.database.owner`UPDATE invoices SET due_at = now() - interval '90 days' WHERE id = ${id}`;
    const { createdAt, expiresAt } = expectStatus(await link(id), 200).body;
    expect(Date.parse(expiresAt)).toBe(Date.parse(createdAt) + 30 * DAY_MS);
  });

  it('is made anew when it has expired', async () => {
    const { id } = await issue();
    const { url } = expectStatus(await link(id), 200).body;
    const { owner } = service.database;
    await owner`UPDATE invoices SET due_at = now() - interval '90 days' WHERE id = ${id}`;
    await owner`UPDATE invoice_links SET created_at = now() - interval '31 days' WHERE invoice_id = ${id}`;
    const renewed = expectStatus(await link(id), 200).body;
    expect(renewed.url).not.toBe(url);
    expect(Date.parse(renewed.expiresAt)).toBeGreaterThan(Date.now());
  });

  it('is replaced by another one, and revoked until one is created', async () => {
    const { id } = await issue();
    const first = expectStatus(await link(id), 200).body;
    const second = expectStatus(await link(id, { method: 'POST' }), 201).body;
    expect(second.url).not.toBe(first.url);
    expect(expectStatus(await operatorLink(id), 200).body).toEqual(second);
    expectStatus(await operatorLink(id, { method: 'DELETE' }), 204);
    for (const method of ['GET', 'DELETE']) {
      expectStatus(await link(id, { method }), 404);
      expectStatus(await operatorLink(id, { method }), 404);
    }
    const third = expectStatus(await operatorLink(id, { method: 'POST' }), 201).body;
    expect(expectStatus(await link(id), 200).body).toEqual(third);
  });

  it('is revoked before anybody has asked for it', async () => {
    const { id } = await issue();
    expectStatus(await link(id, { method: 'DELETE' }), 204);
    expectStatus(await link(id), 404);
  });

  it('leaves who replaced and revoked it in the audit log, without the address', async () => {
    const invoice = await issue();
    const { url } = expectStatus(await link(invoice.id), 200).body;
    const { url: replaced } = expectStatus(await link(invoice.id, { method: 'POST' }), 201).body;
    expectStatus(await operatorLink(invoice.id, { method: 'DELETE' }), 204);
    const path = `/company/audit-log?target=${invoice.id}&per_page=2`;
    const { data } = expectStatus(await service.call('GET', path, { token: admin.token }), 200).body;
    expect(data).toMatchObject([
      { action: 'invoice_link.revoked', actor: { kind: 'operator_key' }, target: { kind: 'invoice_link' } },
      { action: 'invoice_link.replaced', actor: { kind: 'user', id: admin.userId }, target: { name: invoice.number } },
    ]);
    const tokens = [url, replaced].map((each) => each.split('/').at(-1));
    for (const token of tokens) {
      expect(JSON.stringify(data)).not.toContain(token);
      expect(service.logs()).not.toContain(token);
    }
  });

  it('is another answer for a repeat without the key of the request, and the same with it', async () => {
    const { id } = await issue();
    const request = { token: admin.token, headers: { 'idempotency-key': randomUUID() } };
    const path = `/payments/orders/${id}/link`;
    const first = expectStatus(await service.call('POST', path, request), 201).body;
    expect(expectStatus(await service.call('POST', path, request), 201).body).toEqual(first);
    expect(expectStatus(await link(id, { method: 'POST' }), 201).body).not.toEqual(first);
  });
});

// Security (Accounts and permissions): What may be read or changed of a link follows the rules of its invoice
describe('who may use the link', () => {
  it('of another company: nobody', async () => {
    const other = await signUpAdmin(service);
    const { id } = await issue();
    for (const method of ['GET', 'POST', 'DELETE']) expectStatus(await link(id, { method, token: other.token }), 404);
  });

  it('of the operator’s: a viewer reads it, and finance replaces and revokes it', async () => {
    const { id } = await issue();
    const [viewer, finance] = await Promise.all([operatorKey('viewer'), operatorKey('finance')]);
    expectStatus(await operatorLink(id, { token: viewer }), 200);
    for (const method of ['POST', 'DELETE']) expectStatus(await operatorLink(id, { method, token: viewer }), 403);
    expectStatus(await operatorLink(id, { method: 'POST', token: finance }), 201);
    expectStatus(await operatorLink(id, { method: 'DELETE', token: finance }), 204);
  });

  it('of customers: whoever has a session with the permission', async () => {
    const { id } = await issue();
    const { permission } = SYSTEM_ROLES['Billing manager'];
    const open = async (billing: object) => {
      const granted = { ...permission, platform: { ...permission.platform, billing } };
      return (await openSession(service, admin.companyId, { permission: granted })).token;
    };
    const [reader, payer] = await Promise.all([open({ all: false, view: true }), open({ all: true, view: true })]);
    expectStatus(await link(id, { token: reader }), 200);
    expectStatus(await link(id, { method: 'POST', token: reader }), 403);
    expectStatus(await link(id, { method: 'POST', token: payer }), 201);
  });
});

describe('a mail about an invoice', () => {
  it('has the link of now, and none while it is revoked', async () => {
    const { id } = await issue();
    const mail = await mailAbout(service, id, 'invoice_issued');
    const { url } = expectStatus(await link(id), 200).body;
    expect(mail.text).toContain(`View and pay the invoice:\n${url}\n`);
    expect(mail.html).toContain(`href="${url}"`);
    expectStatus(await link(id, { method: 'DELETE' }), 204);
    const { text, html } = await readMail(service, mail.id);
    expect([text, html].join('')).not.toContain('/pay/');
  });

  it('has one in every language', async () => {
    const { id } = await issue();
    for (const [language, words] of [
      ['de', 'Rechnung ansehen und bezahlen'],
      ['fr', 'Voir et payer la facture'],
      ['es', 'Ver y pagar la factura'],
    ]) {
      for (const type of ['invoice_issued', 'receipt', 'payment_failed']) {
        const body = { type, invoiceId: id, language };
        const request = { token: service.operatorKey, body };
        const { text } = expectStatus(await service.call('POST', '/operator/mails/preview', request), 200).body;
        expect(text).toContain(`${PUBLIC_URL}/pay/`);
        if (type === 'invoice_issued') expect(text).toContain(words);
      }
    }
  });
});
