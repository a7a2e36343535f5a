import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit } from '../../../../test/billing/invoice-documents.ts';
import { addItem } from '../../../../test/billing/items.ts';
import { createPrice } from '../../../../test/billing/prices.ts';
import { addThreshold } from '../../../../test/billing/thresholds.ts';
import { logIn } from '../../../../test/customers/accounts.ts';
import {
  type Actor,
  expectStatus,
  issueInvoice,
  saveAddress,
  saveCard,
  signUpAdmin,
} from '../../../../test/customers/actors.ts';
import { insertFailedJob } from '../../../../test/harness/jobs.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { createApiKey } from '../../../../test/identity/api-keys.ts';
import { createKey } from '../../../../test/identity/operator-keys.ts';
import { addMember, createRole, invite } from '../../../../test/identity/roles.ts';
import { inviteStaff } from '../../../../test/identity/staff.ts';
import { raiseAlert } from '../../../../test/outbox/alerts.ts';
import { addEndpoint } from '../../../../test/outbox/webhooks.ts';
import { saveAccount } from '../../../../test/payments/paypal-accounts.ts';
import { postRefund, preparePaid } from '../../../../test/payments/refunds.ts';
import { dereference } from '../openapi/dereference.ts';
import type { ApiDocument } from './document.ts';
import { renderReferencePage } from './page.ts';

const LABEL = { name: 'Sample', description: 'Of the page', color: '#fff', userName: 'Ada' };

let service: TestService;
let document: ApiDocument;
let page: string;

beforeAll(async () => {
  service = await startTestService();
  document = dereference((await service.call('GET', '/openapi.json')).body);
  page = (await service.call('GET', '/docs')).text;
});
afterAll(() => service.stop());

const placed = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Another company pays an invoice. @returns the id of the payment */
async function payInvoice(): Promise<string> {
  const payer = await signUpAdmin(service);
  await saveCard(service, payer, { isDefault: true });
  const { id } = await issueInvoice(service, payer.companyId);
  const paid = await service.call('PUT', `/payments/orders/${id}/pay`, { token: payer.token });
  return expectStatus(paid, 200).body.paymentId;
}

/** The variables that the samples name. */
/** A mail that a sign-up has sent. @returns its id */
async function findMail(): Promise<string> {
  const { data } = expectStatus(await service.call('GET', '/operator/mails', { token: service.operatorKey }), 200).body;
  return data[0].id;
}

/** A second session of the admin. @returns its id */
async function openSession(admin: Actor): Promise<string> {
  expectStatus(await logIn(service, { email: admin.email }), 200);
  const { data } = expectStatus(await service.call('GET', '/auth/sessions', { token: admin.token }), 200).body;
  return data.find(({ current }: { current: boolean }) => !current).id;
}

async function makeEnvironment(admin: Actor) {
  const [addressId, cardId] = [await saveAddress(service, admin), await saveCard(service, admin)];
  await saveCard(service, admin);
  const invoice = await issueInvoice(service, admin.companyId);
  const { body } = await service.call('POST', '/labels', { token: admin.token, body: LABEL });
  const credited = await issueInvoice(service, admin.companyId);
  const run = { token: service.operatorKey, body: { period: '2020-01' } };
  const billingRun = await service.call('POST', '/operator/billing-runs', run);
  const preview = await service.call('POST', '/operator/billing-previews', run);
  const paid = await preparePaid(service);
  return {
    PATH: process.env.PATH,
    PAYDESK_URL: service.url,
    TOKEN: admin.token,
    OPERATOR_KEY: service.operatorKey,
    ADDRESS_ID: addressId,
    CARD_ID: cardId,
    ACCOUNT_ID: await saveAccount(service, admin),
    INVOICE_ID: invoice.id,
    COMPANY_ID: admin.companyId,
    NAME: 'acme',
    ITEM_ID: (await addItem(service, admin.companyId)).id,
    BILLING_RUN_ID: billingRun.body.id,
    PREVIEW_ID: preview.body.id,
    LABEL_ID: body.id,
    PRICE_ID: (await createPrice(service, { effectiveFrom: '2020-01-01T00:00:00Z' })).id,
    CREDIT_NOTE_ID: (await credit(service, credited.id, { amount: '1.00' })).body.id,
    PAYMENT_ID: await payInvoice(),
    REFUND_ID: (await postRefund(service, paid, { amount: '1.00' })).body.id,
    SESSION_ID: await openSession(admin),
    ROLE_ID: (await createRole(service, admin)).id,
    INVITATION_ID: (await invite(service, admin)).id,
    MEMBER_ID: (await addMember(service, admin, 'Viewer')).userId,
    PASSKEY_ID: randomUUID(),
    JOURNAL_ID: randomUUID(),
    MAIL_ID: await findMail(),
    KEY_ID: (await createKey(service)).id,
    API_KEY_ID: (await createApiKey(service, admin)).id,
    STAFF_ID: (await inviteStaff(service)).id,
    ALERT_ID: await raiseAlert(service, { companyId: paid.admin.companyId, paymentId: paid.paymentId }),
    JOB_ID: await insertFailedJob(service),
  };
}

function sideOfPath(path: string): 'operator' | 'company' {
  return path.startsWith('/operator/') ? 'operator' : 'company';
}

async function makeThreshold(admin: Actor): Promise<string> {
  return (await addThreshold(service, admin, { quantity: '100000' })).id;
}

/** The text of a piece of markup, as a reader sees or copies it. */
function textOf(markup: string): string {
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return markup.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '');
}

function articleOf(id: string): string {
  return new RegExp(`<article id="${id}"[\\s\\S]*?</article>`).exec(page)?.[0] ?? '';
}

describe('/openapi.json', () => {
  it('is the committed docs/openapi.json; when it is not, run `npm run openapi`', async () => {
    const committed = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');
    const { text } = await service.call('GET', '/openapi.json');
    expect(text === committed, 'docs/openapi.json is stale: run `npm run openapi` and commit it').toBe(true);
  });

  it('describes itself and the page, which need no credential', () => {
    for (const path of ['/openapi.json', '/docs']) expect(document.paths[path]?.get?.security).toEqual([]);
  });
});

describe.each(['/openapi.json', '/docs'])('%s, as it is sent to a client', (path) => {
  it('is revalidated each time, and sent again only when it has changed', async () => {
    const first = await fetch(`${service.url}${path}`);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
    const second = await service.call('GET', path, { headers: { 'if-none-match': `"another", ${tag}` } });
    expect(second.status).toBe(304);
    expect(second.text).toBe('');
    const third = await service.call('GET', path, { headers: { 'if-none-match': '"another"' } });
    expect(third.status).toBe(200);
  });

  it('is compressed for clients that accept it', async () => {
    const zipped = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'br, gzip' } });
    const plain = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(zipped.headers.get('vary')).toContain('accept-encoding');
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 5);
    expect(await zipped.text()).toBe(await plain.text());
  });
});

describe('/docs', () => {
  it('is named in the answer to an unknown path', async () => {
    for (const path of ['/', '/api/labels']) {
      const answer = expectStatus(await service.call('GET', path), 404);
      expect(answer.body.error.message).toContain('/docs');
    }
  });

  it('is where browsers are redirected from the service’s root, and with a trailing slash', async () => {
    const open = (path: string, accept: string, method = 'GET') =>
      fetch(`${service.url}${path}`, { method, redirect: 'manual', headers: { accept } });
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const answer of [
      await open('/', browser),
      await open('/?from=mail', browser, 'HEAD'),
      await open('/docs/', browser),
      await open('/docs/', '*/*'),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
    }
    const program = await open('/', '*/*');
    expect([program.status, program.headers.get('vary')]).toEqual([404, 'accept']);
    for (const answer of [await open('/', browser, 'POST'), await open('/other', browser)])
      expect(answer.status).toBe(404);
  });

  it('allows only its own style and script by its Content-Security-Policy', async () => {
    const { headers } = await service.call('GET', '/docs');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const hashOf = (element: string) => {
      const [, content = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    };
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.match(/<(style|script)\b/g)).toEqual(['<style', '<script']);
    expect(page).not.toMatch(/<[^>]+\s(style|on\w+)=/);
  });

  it('loads nothing from elsewhere: it works without internet access', () => {
    const withoutGuides = page.replace(/<ul id="guides"[\s\S]*?<\/ul>/, '');
    expect(withoutGuides).not.toMatch(
      /<(link|img|iframe|object|embed|source|base|form)\b|\ssrc=|url\(|@import|\bimport\(|fetch\(/,
    );
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^(#|\/docs\/guides\/)/.test(link))).toEqual(['/openapi.json']);
  });

  it('has every operation at an address of its own, with its method, path, fields, errors and their examples', () => {
    for (const { method, path, operation } of placed()) {
      const text = textOf(articleOf(operation.operationId));
      expect(text).toContain(operation.summary);
      expect(text).toContain(`${method} ${path}`);
      for (const { name, description = '' } of operation.parameters) {
        expect(text).toContain(name);
        expect(text).toContain(description.replaceAll('`', ''));
      }
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const [code, { value }] of Object.entries(content['application/json']?.examples ?? {})) {
          expect(text).toContain(`${status} ${code}`);
          expect(text).toContain(JSON.stringify(value, null, 2));
        }
      }
    }
  });

  it('shows each field’s type, whether it is required, its meaning and its bounds', () => {
    const text = textOf(articleOf('createCard')).replace(/\s+/g, ' ');
    expect(text).toContain('expMonth integer required1 to 12');
    expect(text).toContain('cvv string required3 or 4 digits. Never kept, never returned.');
    expect(text).toContain('isDefault booleanMakes this the card that is charged by default.');
    expect(textOf(articleOf('listLabels'))).toContain('The direction: ASC or DESC');
    expect(textOf(articleOf('listLabels'))).toContain('default "DESC"');
  });

  it('has a target for each of its links, and no anchor twice', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[\w-]+$/.test(id ?? ''))).toEqual([]);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('closes every element that it opens', () => {
    const open: string[] = [];
    const wrong: string[] = [];
    const withoutScript = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
    for (const [, slash, name = ''] of withoutScript.matchAll(/<(\/?)([a-z]\w*)\b[^>]*>/g)) {
      if (['meta', 'input', 'wbr'].includes(name)) continue;
      if (slash === '') open.push(name);
      else if (open.pop() !== name) wrong.push(name);
    }
    expect({ open, wrong }).toEqual({ open: [], wrong: [] });
  });

  it('escapes all text of a document', () => {
    const hostile = '<img src=x onerror=alert(1)> & "quoted" \'text\' `<b>` </script>';
    const [operation] = placed();
    if (operation === undefined) throw new Error('there is no operation');
    const described = { ...operation.operation, operationId: hostile, summary: hostile, description: hostile };
    const paths = { '/<i>': { get: described } };
    const { text } = renderReferencePage({ ...document, paths, info: { ...document.info, title: hostile } }, []);
    expect(text).not.toMatch(/<img|<b>|<i>/);
    expect(text).not.toMatch(/="[^"]*"quoted/);
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    expect(textOf(text)).toContain(hostile.replaceAll('`', ''));
  });

  it('shows requests that a shell can run as they are', async () => {
    const admin = await signUpAdmin(service);
    const env = await makeEnvironment(admin);
    const url = 'https://hooks.example.com/paydesk';
    const endpoints = {
      operator: (await addEndpoint(service, null, { url })).id,
      company: (await addEndpoint(service, admin, { url })).id,
    };
    const thresholds = { operator: await makeThreshold(admin), company: await makeThreshold(admin) };
    const sideOf = new Map(placed().map(({ path, operation }) => [operation.operationId, sideOfPath(path)]));
    // These end the token, stop the company, or end an endpoint or a price that others still name.
    const rankOf = (id: string) =>
      /^(logOut|updateOperatorCompany)$/.test(id) ? 2 : Number(/^delete(.*WebhookEndpoint|Price)$/.test(id));
    const inOrder = [...sideOf.keys()].toSorted((left, right) => rankOf(left) - rankOf(right));
    const scripts = inOrder.map((id) => {
      const [, sample = ''] = /<figure><figcaption>Request<[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(articleOf(id)) ?? [];
      const side = sideOf.get(id) ?? 'company';
      const variables = `ENDPOINT_ID=${endpoints[side]} THRESHOLD_ID=${thresholds[side]}`;
      // In a folder of its own: curl overwrites no file.
      return `(\nmkdir ${id}\ncd ${id}\n${variables}\n${textOf(sample)}\n)\nprintf '\\0'`;
    });
    const curl = `curl() { command curl -s -w '\\n%{http_code}' "$@"; }`;
    const { stdout } = await promisify(execFile)('bash', ['-ceu', [curl, ...scripts].join('\n')], {
      env,
      maxBuffer: 2 ** 24,
      // Where a downloaded file goes.
      cwd: service.config.dataDirectory,
    });
    const refusals: Record<string, string> = {};
    const answers = stdout.split('\0').slice(0, -1);
    expect(answers).toHaveLength(inOrder.length);
    for (const [index, answer] of answers.entries()) {
      const [status = '', ...lines] = answer.split('\n').reverse();
      expect(status, inOrder[index]).toMatch(/^\d{3}$/);
      if (status < '400') continue;
      refusals[inOrder[index] ?? ''] = `${status} ${JSON.parse(lines.reverse().join('\n')).error.message}`;
    }
    // The ids in the examples exist nowhere; one e-mail signs up once, and one name belongs to one label.
    expect(refusals).toEqual({
      signUpCustomer: expect.stringMatching(/^409 /),
      inviteStaff: expect.stringMatching(/^409 /),
      finishLogIn: expect.stringMatching(/^401 /),
      logInWithPasskey: expect.stringMatching(/^401 /),
      refresh: expect.stringMatching(/^401 /),
      confirmTotp: expect.stringMatching(/^401 .*code/),
      disableTotp: expect.stringMatching(/^401 .*code/),
      renewRecoveryCodes: expect.stringMatching(/^401 .*code/),
      createPasskey: expect.stringMatching(/^400 .*passkey/),
      updatePasskey: expect.stringMatching(/^404 .*passkey/),
      deletePasskey: expect.stringMatching(/^404 .*passkey/),
      verifyEmail: expect.stringMatching(/^400 .*link/),
      revertEmail: expect.stringMatching(/^400 .*link/),
      resetPassword: expect.stringMatching(/^400 .*link/),
      changeEmail: expect.stringMatching(/^409 /),
      deleteAccount: expect.stringMatching(/^409 /),
      revokeMemberSessions: expect.stringMatching(/^404 .*member/),
      // All others were ended before.
      revokeSession: expect.stringMatching(/^404 .*session/),
      adoptRecoveryCases: expect.stringMatching(/^400 companies /),
      addJournalLines: expect.stringMatching(/^400 installation /),
      declareJournalLost: expect.stringMatching(/^404 .*journal/),
      retireJournal: expect.stringMatching(/^404 .*journal/),
      refundUnallocated: expect.stringMatching(/^404 .*payment/),
      acceptSecondCapture: expect.stringMatching(/^404 .*payment/),
      createCard: expect.stringMatching(/^400 addressId /),
      createInvoice: expect.stringMatching(/^400 companyId /),
      updateCompanyBillingSettings: expect.stringMatching(/^409 .*items wait/),
      recomputeInvoice: expect.stringMatching(/^409 .*not computed/),
      receivePaypalEvent: expect.stringMatching(/^404 /),
      receiveStripeEvent: expect.stringMatching(/^404 /),
      resyncDispute: expect.stringMatching(/^400 gateway /),
      resyncRefunds: expect.stringMatching(/^400 gateway /),
      voidInvoice: expect.stringMatching(/^409 .*credit notes/),
      reportUsage: expect.stringMatching(/^400 subject /),
      updateLabel: expect.stringMatching(/^409 /),
      getRecordLabels: expect.stringMatching(/^400 id /),
      setRecordLabels: expect.stringMatching(/^400 label_ids /),
      updateRole: expect.stringMatching(/^409 /),
      getInvitation: expect.stringMatching(/^404 .*invitation/),
      startSignIn: expect.stringMatching(/^404 .*provider/),
      finishSignIn: expect.stringMatching(/^404 .*provider/),
      acceptInvitation: expect.stringMatching(/^400 .*link/),
    });
  });
});
