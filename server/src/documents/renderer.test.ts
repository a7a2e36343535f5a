import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPdf } from '../../test/billing/invoice-documents.ts';
import { readPdf } from '../../test/billing/pdf.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let service: TestService;
let admin: Actor;
let invoiceId: string;

beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  const details = Array.from({ length: 100 }, (_, index) => ({
    title: `Line ${index}`,
    path: `/v1/${index}`,
    totalRequest: 1,
    currency: 'USD',
    amount: '0.01',
  }));
  invoiceId = (await issueInvoice(service, admin.companyId, { details })).id;
});
afterAll(async () => service?.stop());

const path = () => `/payments/orders/${invoiceId}/pdf`;

type Drawn = { status: number; retryAfter: string | null; bytes: Buffer };

async function ask(): Promise<Drawn> {
  const response = await fetch(`${service.url}${path()}`, { headers: { authorization: `Bearer ${admin.token}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, retryAfter: response.headers.get('retry-after'), bytes };
}

describe('many PDFs in parallel', () => {
  it("are drawn a few at a time; requests that can't wait get Retry-After, and every PDF is complete", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    const drawn = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(drawn.length).toBeGreaterThan(2);
    for (const { bytes } of drawn) expect(bytes.equals(drawn[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    for (const { retryAfter, bytes } of refused) {
      expect(retryAfter).toBe('5');
      expect(JSON.parse(bytes.toString()).error.code).toBe('service_unavailable');
    }
    expect(readPdf((await fetchPdf(service, admin, invoiceId)).bytes).pages.length).toBeGreaterThan(2);
  });

  // Security (HTTP, and what all share): One company's PDFs do not block those of others
  it('of one company do not delay others: theirs are drawn in between and never refused', async () => {
    const other = await signUpAdmin(service);
    const { id } = await issueInvoice(service, other.companyId);
    const flood = Array.from({ length: 100 }, ask);
    let left = flood.length;
    for (const one of flood) one.finally(() => (left -= 1));
    await Promise.race(flood);
    const pdfs = await Promise.all(Array.from({ length: 5 }, () => fetchPdf(service, other, id)));
    for (const { bytes } of pdfs) expect(readPdf(bytes).pages).toHaveLength(1);
    expect(left).toBeGreaterThan(0);
    await Promise.all(flood);
  });

  it('do not block other requests', async () => {
    let drawing = 8;
    const pdfs = Array.from({ length: drawing }, () =>
      ask().finally(() => {
        drawing -= 1;
      }),
    );
    for (let request = 0; request < 5; request += 1) {
      expectStatus(await service.call('GET', '/payments/orders', { token: admin.token }), 200);
    }
    expect(drawing).toBeGreaterThan(0);
    for (const { status } of await Promise.all(pdfs)) expect(status).toBe(200);
  });

  it('are not drawn after their client has disconnected', async () => {
    const over = new AbortController();
    const headers = { authorization: `Bearer ${admin.token}` };
    const given = Array.from({ length: 20 }, () =>
      fetch(`${service.url}${path()}`, { headers, signal: over.signal }).then(
        () => 'answered',
        () => 'gave up',
      ),
    );
    over.abort();
    expect(new Set(await Promise.all(given))).toEqual(new Set(['gave up']));
    expect((await ask()).status).toBe(200);
  });
});
