import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Actor,
  CARDS,
  expectStatus,
  issueInvoice,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { open, pathOfPage, post, stateOn, typedFields } from '../../../test/hosted-page/hosted-page.ts';

const PUBLIC_URL = 'https://billing.example.com';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ publicUrl: PUBLIC_URL, trustedProxies: ['127.0.0.1'] });
  admin = await signUpAdmin(service);
  await saveCard(service, admin, { cardNumber: CARDS.visa });
});
afterAll(() => service?.stop());

async function issue(): Promise<{ id: string; path: string }> {
  const { id } = await issueInvoice(service, admin.companyId);
  return { id, path: await pathOfPage(service, id) };
}

const from = (address: string) => ({ 'x-forwarded-for': address });

// Security (Hosted page): a link opens its invoice alone, and only as it was signed
describe('a link', () => {
  it('that is unknown, altered, revoked or expired opens one and the same page', async () => {
    const { id, path } = await issue();
    const token = path.slice('/pay/'.length);
    const change = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    const altered = [...token].flatMap((letter, at) => (letter === '.' ? [] : [`/pay/${change(at)}`]));
    const others = [
      `/pay/${'x'.repeat(64)}`,
      '/pay/x',
      `/pay/${token}x`,
      `/pay/${token.replace('.', '_')}`,
      `/pay/${'.'.repeat(600)}`,
    ];
    const unknown = await open(service, '/pay/unknown', { headers: from('10.0.0.1') });
    expect([unknown.status, stateOn(unknown)]).toEqual([404, null]);
    for (const wrong of [...altered, ...others]) {
      const { status, text } = await open(service, wrong, { headers: from('10.0.0.1') });
      expect([status, text === unknown.text]).toEqual([404, true]);
    }
    await service.database.owner`
      UPDATE invoice_links SET created_at = now() - interval '40 days' WHERE invoice_id = ${id}`;
    await service.database.owner`UPDATE invoices SET due_at = now() - interval '31 days' WHERE id = ${id}`;
    expect(await open(service, path)).toMatchObject({ status: 404, text: unknown.text });
    const renewed = await pathOfPage(service, id);
    expect((await open(service, renewed)).status).toBe(200);
    for (const method of ['POST', 'DELETE']) {
      const before = await pathOfPage(service, id);
      await service.call(method, `/payments/orders/${id}/link`, { token: admin.token });
      for (const request of [
        open(service, before),
        open(service, `${before}/pdf`),
        post(service, before, { card: 'saved' }),
      ])
        expect(await request).toMatchObject({ status: 404, text: unknown.text });
    }
  });

  it('that is unknown is limited by address, and a real one always opens', async () => {
    const { path } = await issue();
    const [address, neighbour] = [from('10.1.0.1'), from('10.1.0.2')];
    for (let opened = 0; opened < 200; opened += 1) {
      expect((await open(service, `/pay/unknown-${opened}`, { headers: address })).status).toBe(404);
    }
    const refused = await open(service, '/pay/unknown', { headers: address });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds > 500 && seconds <= 600).toBe(true);
    expect((await open(service, path, { headers: address })).status).toBe(200);
    expect((await open(service, '/pay/unknown', { headers: neighbour })).status).toBe(404);
  });

  it('is in no log and no metric', async () => {
    const { path } = await issue();
    const token = path.slice('/pay/'.length);
    await open(service, path);
    await open(service, `${path}/pdf`);
    await open(service, `${path}/nothing`);
    await open(service, `${path}x`);
    await post(service, path, { card: 'other' });
    await open(service, path, { method: 'PUT' });
    expect(service.logs()).toContain('/pay/:token');
    expect(service.logs()).not.toContain(token);
    const { text } = await service.call('GET', '/metrics', { token: service.operatorKey });
    expect(text).not.toContain(token);
  });
});

// Security (Hosted page): it runs no script, is in no frame, sets no cookie and is kept nowhere
it('the page forbids all that it does not need', async () => {
  const { path } = await issue();
  for (const { status, headers } of [
    await open(service, path),
    await open(service, '/pay/unknown'),
    await post(service, path, { card: 'other' }),
    await open(service, `${path}/pdf`),
  ]) {
    const policy = headers.get('content-security-policy') ?? '';
    const rules = policy.split('; ');
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
      expect(rules, String(status)).toContain(rule);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
      ...{ 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff' },
    });
    expect(headers.get('set-cookie')).toBeNull();
  }
});

it('the page loads what it needs from this service, for as long as it likes', async () => {
  const { path } = await issue();
  const { text } = await open(service, path);
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
  const sheet = await open(service, style);
  expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(sheet.headers.get('cache-control')).toContain('immutable');
  const fonts = [...sheet.text.matchAll(/url\("([^"]+)"\)/g)].map(([, url = '']) => url);
  expect(fonts).toHaveLength(2);
  for (const font of fonts) expect((await open(service, font)).status).toBe(200);
  expect((await open(service, '/pay/assets/page.css')).status).toBe(404);
});

// Security (Hosted page): no other site sends its form
describe('a form', () => {
  it('of another page is refused', async () => {
    const { id, path } = await issue();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://billing.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: PUBLIC_URL, 'sec-fetch-site': 'cross-site' },
    ]) {
      for (const to of [path, `${path}/confirm`])
        expect((await post(service, to, { card: 'saved' }, headers)).status).toBe(403);
    }
    const { token } = admin;
    expect(expectStatus(await service.call('GET', `/payments/orders/${id}`, { token }), 200).body.attempts).toEqual([]);
  });

  it('of the page itself is taken, as browsers send it', async () => {
    for (const headers of [
      { origin: PUBLIC_URL },
      { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' },
      // Of a page with `Referrer-Policy: no-referrer`.
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]) {
      const { path } = await issue();
      expect((await post(service, path, { card: 'saved' }, headers)).status).toBe(303);
      expect(stateOn(await open(service, path))).toBe('paid');
    }
  });

  it('is a form, and not large', async () => {
    const { path } = await issue();
    expect((await open(service, path, { method: 'POST' })).status).toBe(415);
    expect((await open(service, `${path}/confirm`, { method: 'POST' })).status).toBe(415);
    for (const type of ['application/json', 'multipart/form-data', 'text/plain']) {
      const init = { method: 'POST', body: '{"card":"saved"}', headers: { 'content-type': type } };
      expect((await open(service, path, init)).status).toBe(415);
    }
    const latin = { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' };
    expect((await post(service, path, { card: 'saved' }, latin)).status).toBe(415);
    expect((await post(service, path, { card: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

// Security (Hosted page): stolen cards are not tested on it
describe('the limits against card testing', () => {
  it('count the address of the payer', async () => {
    const limits = { ofInvoice: 100, ofCompany: 100, ofAddress: 3, ofCard: 100 };
    const limited = await startTestService({ trustedProxies: ['127.0.0.1'], refusedCharges: limits });
    try {
      const owner = await signUpAdmin(limited);
      const { id } = await issueInvoice(limited, owner.companyId);
      const path = await pathOfPage(limited, id);
      const attempt = (address: string) =>
        post(limited, path, typedFields({ cardNumber: CARDS.declined }), from(address));
      for (let declined = 0; declined < 3; declined += 1)
        expect((await attempt('10.2.0.1')).headers.get('location')).toBe(path);
      const refused = await attempt('10.2.0.1');
      expect([refused.status, refused.headers.get('location')]).toEqual([303, `${path}?notice=limited`]);
      expect((await open(limited, `${path}?notice=limited`)).text).toContain('Too many payments were declined.');
      expect((await attempt('10.2.0.2')).headers.get('location')).toBe(path);
    } finally {
      await limited.stop();
    }
  });
});
