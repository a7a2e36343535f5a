import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { changeSeller, credit, readCreditNotePdf, readInvoicePdf } from '../../../test/billing/invoice-documents.ts';
import { pageText } from '../../../test/billing/pdf.ts';
import { createPrice } from '../../../test/billing/prices.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { preparePayable } from '../../../test/payments/charge.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date('2025-04-20T00:00:00Z') });
  admin = await signUpAdmin(service);
});
afterAll(async () => service?.stop());

const PAYABLE = 'Payable within 14 days';
const REGISTER = 'Registered in England and Wales';
const line = (changes: object) => ({ title: 'Line', currency: 'EUR', amount: '10.00', ...changes });

async function drawLines(details: object[]) {
  const { id } = await issueInvoice(service, admin.companyId, { details });
  const pdf = await readInvoicePdf(service, admin, id);
  return { ...pdf, texts: pdf.text.split('\n') };
}

describe('while no seller is set', () => {
  it('invoices and credit notes are marked as samples on each page, until a seller is set', async () => {
    const { id } = await issueInvoice(service, admin.companyId);
    const note = expectStatus(await credit(service, id, { amount: '1.00' }), 201).body;
    expect((await readInvoicePdf(service, admin, id)).text).toMatch(/^SAMPLE$/m);
    expect((await readCreditNotePdf(service, admin, note.id)).text).toMatch(/^SAMPLE$/m);
    await changeSeller(service, { name: 'Northwind Interfaces Ltd' });
    const named = await issueInvoice(service, admin.companyId);
    expect((await readInvoicePdf(service, admin, named.id)).text).not.toContain('SAMPLE');
    expect((await readInvoicePdf(service, admin, id)).text).toMatch(/^SAMPLE$/m);
  });
});

describe('the lines of an invoice', () => {
  it('leave out path, requests and their columns when no line has them', async () => {
    const body = { details: [line({ title: 'Set-up' })] };
    const { id, details } = await issueInvoice(service, admin.companyId, body);
    expect(details).toEqual([{ title: 'Set-up', path: '', totalRequest: '0', currency: 'EUR', amount: 10 }]);
    const { text } = await readInvoicePdf(service, admin, id);
    expect(text).toContain('\nDescription\nAmount\n€10.00\nSet-up\nSubtotal\n');
  });

  it('show the price of a request if it is exact', async () => {
    const { texts } = await drawLines([
      line({ title: 'By hand', path: '/hand', totalRequest: 4_000 }),
      line({ title: 'By three', path: '/three', totalRequest: 3 }),
    ]);
    expect(texts).toEqual(expect.arrayContaining(['Requests', 'Unit price', '4,000', '€0.0025', '/hand', '/three']));
    expect(texts[texts.indexOf('3') + 1]).toBe('€10.00');
  });

  it('of a billing run show the unit price, and the free quantity', async () => {
    await setPrice(service, { path: '/flat', title: 'Flat', unitAmount: '0.0045', freeRequests: 1_000 });
    const packages = { model: 'package', packageAmount: '5.00', packageSize: 1_000, unitAmount: undefined };
    await setPrice(service, { path: '/package', title: 'Package', ...packages });
    const tiers = [
      { upTo: 10, unitAmount: '1.00' },
      { upTo: null, unitAmount: '0.10' },
    ];
    const volume = { model: 'volume', tiers, title: 'Volume', effectiveFrom: '2024-01-01T00:00:00Z' };
    await createPrice(service, { ...volume, path: '/volume' });
    for (const path of ['/flat', '/package', '/volume']) await use(service, admin, path, 3_000, '2025-02-10T00:00:00Z');
    for (const late of [10, 1]) {
      await use(service, admin, '/volume', late, '2025-03-10T00:00:00Z');
      await runMonth(service, late === 10 ? '2025-02' : '2025-03');
    }
    const bills = (await invoicesOf(service, admin)).filter(({ startAt }: { startAt: string }) => startAt < '2026');
    const { text } = await readInvoicePdf(service, admin, bills[0].id);
    expect(text).toContain('\n3,000\n$0.0045\n$9.00\nFlat\n/flat (first 1,000 free)\n');
    expect(text).toContain('\n3,000\n$5.00 / 1,000\n$15.00\nPackage\n/package\n');
    expect(text).toContain('\n3,000\nby volume\n$300.00\nVolume\n/volume\n');
  });

  it('that carry over to the credit have no path and no requests', async () => {
    const other = await signUpAdmin(service);
    const tiers = [
      { upTo: 100, unitAmount: '1.00' },
      { upTo: null, unitAmount: '0.10' },
    ];
    const volume = { model: 'volume', tiers, title: 'By volume', effectiveFrom: '2024-01-01T00:00:00Z' };
    await createPrice(service, { ...volume, path: '/cheaper', companyId: other.companyId });
    await use(service, other, '/cheaper', 100, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    await use(service, other, '/cheaper', 100, '2025-01-20T00:00:00Z');
    await runMonth(service, '2025-02');
    const [, bill] = await invoicesOf(service, other);
    const { text } = await readInvoicePdf(service, other, bill.id);
    expect(text).toContain('\n$80.00\nCarried over to your credit\nSubtotal\n');
  });

  it('fit more than thirty on a page', async () => {
    const details = Array.from({ length: 80 }, (_, index) => line({ path: `/v1/path/${index}`, totalRequest: 1 }));
    const { pages } = await drawLines(details);
    const onSecond = pageText(pages[1]).match(/\/v1\/path\/\d+/g) ?? [];
    expect(onSecond.length).toBeGreaterThan(30);
    expect(pages).toHaveLength(3);
  });
});

describe('the end of the document', () => {
  it('says how to pay while something is due, and always names the seller', async () => {
    await changeSeller(service, { footerText: PAYABLE, legalNote: REGISTER });
    const { admin: payer, invoice, pay } = await preparePayable(service);
    const due = (await readInvoicePdf(service, payer, invoice.id)).text;
    expectStatus(await pay(), 200);
    const paid = (await readInvoicePdf(service, payer, invoice.id)).text;
    expect([due, paid].map((text) => [text.includes(PAYABLE), text.includes(REGISTER)])).toEqual([
      [true, true],
      [false, true],
    ]);
    const note = expectStatus(await credit(service, invoice.id, { amount: '1.00' }), 201).body;
    const { text } = await readCreditNotePdf(service, payer, note.id);
    expect([text.includes(PAYABLE), text.includes(REGISTER)]).toEqual([false, true]);
  });

  it('is never alone on a page, wherever the table ends', async () => {
    await changeSeller(service, { footerText: Array(12).fill('How to pay').join('\n'), legalNote: '' });
    for (let rows = 12; rows <= 24; rows += 1) {
      const { pages } = await drawLines(Array(rows).fill(line({})));
      const last = pageText(pages.at(-1));
      expect([rows, last.includes('How to pay'), last.includes('Amount due')]).toEqual([rows, true, true]);
    }
    await changeSeller(service, { footerText: Array(90).fill('How to pay').join('\n') });
    const { pages, text } = await drawLines([line({})]);
    expect(text.match(/How to pay/g)).toHaveLength(90);
    expect(pageText(pages[0])).toContain('How to pay');
    for (const page of pages) for (const { y } of page) expect(y).toBeGreaterThan(40);
  });
});
