import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, putSettings } from '../../../test/billing/credits.ts';
import {
  changeSeller,
  credit,
  fetchPdf,
  readInvoicePdf,
  voidInvoice,
} from '../../../test/billing/invoice-documents.ts';
import { pageText } from '../../../test/billing/pdf.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { preparePayable, readInvoice } from '../../../test/payments/charge.ts';
import { cjkFontsOf } from './cjk.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await changeSeller(service, SELLER);
});
afterAll(async () => service?.stop());

const SELLER = {
  name: 'Northwind Interfaces Ltd',
  addressLines: ['221 Harbour Street', 'Bristol BS1 4XX'],
  taxId: 'GB 987 6543 21',
  email: 'billing@northwind.example',
  footerText: 'Payable within 14 days.\nThank you.',
};
const BUYER = {
  organization: 'Analytical Engines GmbH',
  firstName: 'Ada',
  lastName: 'Lovelace',
  address: 'Köpenicker Straße 12',
  zipCode: '10115',
  city: 'Berlin',
  province: 'Berlin',
  country: 'DE',
  taxId: 'DE123456789',
};

async function changeBuyer({ token }: Actor, body: object): Promise<void> {
  expectStatus(await service.call('PUT', '/payments/billing-information', { token, body }), 200);
}

/** Signs up a company that has a name on its invoices. */
async function signUpBuyer(email?: string): Promise<Actor> {
  const admin = await signUpAdmin(service, email);
  await changeBuyer(admin, BUYER);
  return admin;
}

const line = (changes: object = {}) => ({
  title: 'Speech to text',
  path: '/v1/speech',
  totalRequest: 12_000,
  currency: 'USD',
  amount: '48.00',
  ...changes,
});

/** Today's date as an invoice shows it. */
const dayOf = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));

describe('GET /payments/orders/{invoice_id}/pdf', () => {
  it('answers with a PDF named after the invoice, with the usual headers', async () => {
    const admin = await signUpBuyer();
    const { id, number } = await issueInvoice(service, admin.companyId);
    const { headers, bytes } = await fetchPdf(service, admin, id);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.toString('latin1')).toMatch(/%%EOF\s*$/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${number}.pdf"`,
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': expect.any(String),
    });
  });

  it('is the same file each time', async () => {
    const admin = await signUpBuyer();
    const { id } = await issueInvoice(service, admin.companyId);
    const [first, second] = [await fetchPdf(service, admin, id), await fetchPdf(service, admin, id)];
    expect(first.bytes.equals(second.bytes)).toBe(true);
  });

  it('of another company is a 404 without a PDF', async () => {
    const [admin, other] = [await signUpBuyer(), await signUpBuyer()];
    const { id } = await issueInvoice(service, admin.companyId);
    const refused = await service.call('GET', `/payments/orders/${id}/pdf`, { token: other.token });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(refused.headers.get('content-disposition')).toBeNull();
  });
});

describe('what an invoice shows', () => {
  it('seller, buyer, number, day of issue, period, lines, tax with its rate, and the amount due', async () => {
    const admin = await signUpBuyer('ada@engines.example');
    const details = [line({ amount: '1234.50', totalRequest: 1_200_000 }), line({ title: 'Discount', amount: -10 })];
    const { id, number, createdAt } = await issueInvoice(service, admin.companyId, { taxRate: '7.7', details });
    const day = dayOf(createdAt);
    const { text, pages, information } = await readInvoicePdf(service, admin, id);
    expect(pages).toHaveLength(1);
    expect(text.split('\n')).toEqual([
      ...['Invoice', 'DUE', 'Northwind Interfaces Ltd'],
      ...['Invoice number', number, 'Date of issue', day, 'Date due', day],
      ...['Billing period', '1 October 2026 – 31 October 2026'],
      ...['From', 'Northwind Interfaces Ltd', '221 Harbour Street', 'Bristol BS1 4XX'],
      ...['Tax ID: GB 987 6543 21', 'billing@northwind.example'],
      ...[
        'Bill to',
        'Analytical Engines GmbH',
        'Ada Lovelace',
        'Köpenicker Straße 12',
        '10115 Berlin, Berlin',
        'Germany',
      ],
      ...['Tax ID: DE123456789', admin.email],
      '$1,318.79 due',
      ...['Description', 'Requests', 'Unit price', 'Amount'],
      ...['1,200,000', '$0.00102875', '$1,234.50', 'Speech to text', '/v1/speech'],
      ...['12,000', '-$10.00', 'Discount', '/v1/speech'],
      ...['Subtotal', '$1,224.50', 'Tax (7.7%)', '$94.29', 'Total', '$1,318.79', 'Amount due', '$1,318.79'],
      ...['Payable within 14 days.', 'Thank you.'],
      ...[`Invoice ${number}`, 'Page 1 of 1'],
    ]);
    expect(information).toMatchObject({ Title: `Invoice ${number}`, Author: 'Northwind Interfaces Ltd' });
  });

  it('the due date, this many days after its issue, unless it is void', async () => {
    const admin = await signUpBuyer();
    expectStatus(await putSettings(service, admin.companyId, { netDays: 30, timezone: 'Asia/Tokyo' }), 200);
    const { id, dueAt } = await issueInvoice(service, admin.companyId);
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
    const shown = `Date due\n${format.format(new Date(dueAt))}\n`;
    expect((await readInvoicePdf(service, admin, id)).text).toContain(shown);
    expectStatus(await service.call('POST', `/operator/invoices/${id}/void`, { token: service.operatorKey }), 200);
    expect((await readInvoicePdf(service, admin, id)).text).not.toContain('Date due');
  });

  it.each([
    ['JPY', '120000', '¥120,000', '¥12,000', '¥132,000'],
    ['KWD', '1234.567', 'KWD\u00a01,234.567', 'KWD\u00a0123.457', 'KWD\u00a01,358.024'],
    ['EUR', '0.05', '€0.05', '€0.01', '€0.06'],
    ['USD', '90000000000000.01', '$90,000,000,000,000.01', '$9,000,000,000,000.00', '$99,000,000,000,000.01'],
    ['IQD', '1.234', 'IQD\u00a01.234', 'IQD\u00a00.123', 'IQD\u00a01.357'],
  ])('%s %s with as many digits as the currency has, to the last one', async (...of) => {
    const [currency, amount, ...shown] = of;
    const admin = await signUpBuyer();
    const details = [line({ currency, amount })];
    const { id } = await issueInvoice(service, admin.companyId, { taxRate: '10', details });
    const { text } = await readInvoicePdf(service, admin, id);
    for (const one of shown) expect(text.split('\n')).toContain(one);
  });

  it('the period in the time zone that the company is billed in, including its last day', async () => {
    const admin = await signUpBuyer();
    expectStatus(await putSettings(service, admin.companyId, { timezone: 'Europe/Berlin' }), 200);
    const period = { startAt: '2026-09-30T22:00:00Z', endAt: '2026-10-31T23:00:00Z' };
    const { id } = await issueInvoice(service, admin.companyId, period);
    expect((await readInvoicePdf(service, admin, id)).text).toContain('\n1 October 2026 – 31 October 2026\n');
    const hours = { startAt: '2026-10-25T00:30:00Z', endAt: '2026-10-25T01:30:00Z' };
    const short = await issueInvoice(service, admin.companyId, hours);
    const { text } = await readInvoicePdf(service, admin, short.id);
    expect(text).toContain('\n25 Oct 2026, 02:30 CEST – 25 Oct 2026, 02:30 CET\n');
  });

  it('seller and buyer as of its issue, whatever changes later', async () => {
    const admin = await signUpBuyer();
    const before = await issueInvoice(service, admin.companyId);
    const { bytes } = await fetchPdf(service, admin, before.id);
    await changeBuyer(admin, { organization: 'Difference Engines SE', taxId: '', city: 'Bonn' });
    expectStatus(await putSettings(service, admin.companyId, { timezone: 'Asia/Tokyo' }), 200);
    await changeSeller(service, { name: 'Southwind Holding', addressLines: [], footerText: '' });
    const after = await issueInvoice(service, admin.companyId);
    const { text } = await readInvoicePdf(service, admin, after.id);
    const again = await fetchPdf(service, admin, before.id);
    await changeSeller(service, SELLER);
    expect(again.bytes.equals(bytes)).toBe(true);
    expect(text).toMatch(/Southwind Holding\n.*Difference Engines SE\n.*10115 Bonn/s);
    expect(text).not.toMatch(/Northwind|Analytical|Harbour|DE123|Payable/);
  });

  it('what credit, card and credit notes paid, and that nothing is due', async () => {
    const { admin, invoice, pay } = await preparePayable(service);
    const { number: first, createdAt } = expectStatus(await credit(service, invoice.id, { amount: '3.00' }), 201).body;
    await grantCredit(service, admin.companyId, { amount: '20.00' });
    expect((await readInvoicePdf(service, admin, invoice.id)).text).toContain('\n$45.00 due\n');
    expectStatus(await pay(), 200);
    const { number: second } = expectStatus(await credit(service, invoice.id, { amount: '5.00' }), 201).body;
    const { text } = await readInvoicePdf(service, admin, invoice.id);
    const paidOn = dayOf((await readInvoice(service, { admin, invoice, pay })).payment.updatedAt);
    expect(text).toContain(`\nPAID\n`);
    expect(text).toContain(`\n$45.00 paid on ${paidOn}\n`);
    expect(text.split('\n').slice(text.split('\n').indexOf('Total'), -2)).toEqual([
      ...['Total', '$48.00', `Credit note ${first}, ${dayOf(createdAt)}`, '-$3.00', 'Credit applied', '-$20.00'],
      ...[`Paid on ${paidOn}`, '-$25.00', 'Amount due', '$0.00', `Credited after payment, ${second}`, '$5.00'],
    ]);
  });

  it('that it is void, on every page', async () => {
    const admin = await signUpBuyer();
    const { id } = await issueInvoice(service, admin.companyId, { details: Array(40).fill(line()) });
    const { voidedAt } = expectStatus(await voidInvoice(service, id), 200).body;
    const { pages, text } = await readInvoicePdf(service, admin, id);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(pageText(page)).toMatch(/^VOID$/m);
    expect(text).toContain(`\nVoided on ${dayOf(voidedAt)}: nothing is to be paid\n`);
    expect(text).toMatch(/\nAmount due\n\$0\.00\n/);
  });
});

describe('an invoice of many lines', () => {
  it("continues over pages: each has the table's head and the number, each line appears once and in order", async () => {
    const admin = await signUpBuyer();
    const long = 'A title that someone wrote at such a length that it takes more than a line of its column to be read';
    const details = Array.from({ length: 90 }, (_, index) =>
      line({
        title: index % 4 === 0 ? `${long} ${index}` : `Line ${index}`,
        path: `/v1/path/${index}`,
        amount: '0.01',
      }),
    );
    const { id, number } = await issueInvoice(service, admin.companyId, { details });
    const { pages, text } = await readInvoicePdf(service, admin, id);
    expect(pages.length).toBeGreaterThan(3);
    for (const [index, page] of pages.entries()) {
      const lines = pageText(page).split('\n');
      expect(lines.slice(-2)).toEqual([`Invoice ${number}`, `Page ${index + 1} of ${pages.length}`]);
      expect(lines).toEqual(expect.arrayContaining(['Description', 'Requests', 'Amount']));
      for (const { y } of page) expect(y).toBeGreaterThan(40);
    }
    const paths = text.match(/^\/v1\/path\/\d+$/gm);
    expect(paths).toEqual(details.map(({ path }) => path));
    expect(pageText(pages.at(-1))).toMatch(/^\/v1\/path\/89\nSubtotal\n\$0\.90\n/m);
  });

  it('works with a thousand of the longest lines', async () => {
    const admin = await signUpBuyer();
    const details = Array.from({ length: 1_000 }, (_, index) =>
      line({ title: `${index} ${'W'.repeat(250)}`, path: `/${'x/'.repeat(120)}${index}` }),
    );
    const { id } = await issueInvoice(service, admin.companyId, { details });
    const { text } = await readInvoicePdf(service, admin, id);
    expect(text.match(/^\d+ ?$|^\d+ W+$/gm)?.length).toBeGreaterThanOrEqual(1_000);
  });
});

/** Returns the names of the fonts in a PDF. */
function fontsOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(/(?<=FontName \/\w{6}\+)\S+/g) ?? [];
}

describe('names of any script', () => {
  it.each([
    ['Ελληνικά Ηλεκτρονικά ΑΕ'],
    ['ООО «Рога и копыта»'],
    ['Công ty Trách nhiệm Hữu hạn Việt Nam'],
    ['Հայկական ընկերություն'],
    ['ქართული კომპანია'],
    ['Łódź – Ωmega · 100 %'],
  ])('%s is written in its script', async (organization) => {
    const admin = await signUpAdmin(service);
    await changeBuyer(admin, { organization });
    const { id } = await issueInvoice(service, admin.companyId);
    const { text } = await readInvoicePdf(service, admin, id);
    // Its parts may use different fonts, and then are separate texts.
    expect(text.replaceAll('\n', '')).toContain(organization);
  });

  it.each([
    ['שלום עולם', 'םלוע םולש'],
    ['שירות API 24', 'API 24\n תוריש'],
  ])('%s is drawn from right to left', async (organization, drawn) => {
    const admin = await signUpAdmin(service);
    await changeBuyer(admin, { organization });
    const { id } = await issueInvoice(service, admin.companyId);
    const { pages } = await readInvoicePdf(service, admin, id);
    const [page = []] = pages;
    const start = page.findIndex(({ text }) => text === 'Bill to') + 1;
    const [first] = page.slice(start);
    const onLine = page.filter(({ y, x }) => y === first?.y && x >= (first?.x ?? 0));
    const found = onLine.sort((left, right) => left.x - right.x).map(({ text }) => text);
    expect(found.join('\n')).toBe(drawn);
  });

  it.each([
    ['东京数据有限公司（上海）', 'CN', 'noto-sans-sc-'],
    ['臺灣資料股份有限公司', 'TW', 'noto-sans-tc-'],
    ['株式会社東京データ解析', 'JP', 'noto-sans-jp-'],
    ['東京都千代田区', 'Japan', 'noto-sans-jp-'],
    ['株式会社ひらがな', '', 'noto-sans-jp-'],
    ['한국 주식회사 金剛山', 'KR', 'noto-sans-kr-'],
  ])('%s (%s) is written unchanged, in the letters of its language, and can be copied', async (...of) => {
    const [organization, country, font] = of;
    const admin = await signUpAdmin(service);
    await changeBuyer(admin, { organization, country });
    const { id } = await issueInvoice(service, admin.companyId, { details: [line({ title: organization })] });
    const { bytes, text } = await readInvoicePdf(service, admin, id);
    // Once in bold in the buyer's name, and once in the line.
    expect(text.replaceAll('\n', '').split(organization)).toHaveLength(3);
    const fonts = fontsOf(bytes);
    for (const name of fonts) expect(name).toMatch(new RegExp(`^NotoSans-|^${font}`));
    expect(fonts.map((name) => name.split('-').at(-1))).toEqual(expect.arrayContaining(['400', '600']));
  });

  it('a name of 255 letters from many fonts is written too', async () => {
    const admin = await signUpAdmin(service);
    const letters = Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + 20 * index));
    const organization = letters
      // U+6480 is in no font, though its family lists it.
      .filter((letter) => letter !== '\u6480' && cjkFontsOf(letter, 'bold', 'sc').length > 0)
      .slice(0, 255)
      .join('');
    await changeBuyer(admin, { organization });
    const { id } = await issueInvoice(service, admin.companyId);
    const { text } = await readInvoicePdf(service, admin, id);
    expect(text.replaceAll('\n', '')).toContain(organization);
  });

  it('needs only the fonts of its letters', async () => {
    const admin = await signUpBuyer();
    const { id } = await issueInvoice(service, admin.companyId);
    const { bytes } = await fetchPdf(service, admin, id);
    expect(fontsOf(bytes).sort()).toEqual(['NotoSans-Regular', 'NotoSans-SemiBold']);
  });

  it('characters that no font has are drawn as boxes, without an error', async () => {
    const admin = await signUpAdmin(service);
    const odd = [
      '\u1100\u1161 \uff76\uff9e ㍿ 〇',
      '\u{2f800}\u{30000}',
      'บริษัท ไทย',
      '🎉👩‍👩‍👧‍👦🇩🇪',
      '\u202eabc\u202c',
      'a\u0301\u0323\u200b\ufeff',
      '\ud835\udd4f',
      '‮',
    ];
    for (const text of [...odd, odd.join(' '), '\t\n', '‏', '؜', '\u{e0041}', '𞤀𞤣𞤤𞤢𞤥', 'क्षत्रिय'.repeat(30)]) {
      await changeBuyer(admin, { organization: text, address: `${text}\r\n\u2028${text}` });
      const { id } = await issueInvoice(service, admin.companyId, {
        details: [line({ title: `x${text}`.slice(0, 200) })],
      });
      const { pages } = await readInvoicePdf(service, admin, id);
      expect(pages.length).toBeGreaterThan(0);
    }
  });
});
