import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, use } from '../../../../test/billing/billing.ts';
import { changeSeller, credit, readCreditNotePdf, readInvoicePdf } from '../../../../test/billing/invoice-documents.ts';
import { pollUntil } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

const WORDS = 'Reverse charge: the recipient is liable for the tax (Article 196 of Directive 2006/112/EC).';
const SELLER = { name: 'Nordwind GmbH', taxId: 'DE 987 654 321' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date('2025-03-20T00:00:00Z') });
  await changeSeller(service, SELLER);
  await setPrice(service, { path: '/call', unitAmount: '1.00' });
});
afterAll(async () => service?.stop());

/** A company that the operator exempts from 19 % tax if its tax id qualifies. */
async function signUpBuyer(information: object): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, { taxRate: '19', exemptWithTaxId: true });
  await describeBuyer(admin, information);
  return admin;
}

async function describeBuyer({ token }: Actor, body: object): Promise<void> {
  expectStatus(await service.call('PUT', '/payments/billing-information', { token, body }), 200);
}

async function billMonth(admin: Actor, month: string) {
  await use(service, admin, '/call', 10, `${month}-10T00:00:00Z`);
  await runMonth(service, month);
  return (await invoicesOf(service, admin)).at(-1);
}

describe('reverse charge', () => {
  it('is stated on the invoice and its credit notes with both tax ids, whatever changes later', async () => {
    const admin = await signUpBuyer({ taxId: 'FR 12 345678901', country: 'France' });
    const invoice = await billMonth(admin, '2025-01');
    expect(invoice).toMatchObject({ reverseCharge: true, taxRate: '0', total: '10.00' });
    const note = expectStatus(await credit(service, invoice.id, { amount: '1.00' }), 201).body;
    await describeBuyer(admin, { taxId: '', country: '' });
    const { text } = await readInvoicePdf(service, admin, invoice.id);
    for (const part of [WORDS, 'Tax ID: DE 987 654 321', 'Tax ID: FR 12 345678901']) expect(text).toContain(part);
    expect((await readCreditNotePdf(service, admin, note.id)).text).toContain(WORDS);
    expect(await billMonth(admin, '2025-02')).toMatchObject({ reverseCharge: false, taxRate: '19', total: '11.90' });
  });

  it('is stated on invoices that the operator issues without tax, and never on those with tax or for others', async () => {
    const [freed, taxed] = [await signUpBuyer({ taxId: 'ATU12345678' }), await signUpAdmin(service)];
    const marks = [
      await issueInvoice(service, freed.companyId),
      await issueInvoice(service, freed.companyId, { taxRate: '0.00' }),
      await issueInvoice(service, freed.companyId, { taxRate: '20' }),
      await issueInvoice(service, taxed.companyId),
    ].map(({ reverseCharge }) => reverseCharge);
    expect(marks).toEqual([true, true, false, false]);
  });

  it.each([
    ['a run', (admin: Actor) => billMonth(admin, '2024-12')],
    ['an operator', ({ companyId }: Actor) => issueInvoice(service, companyId)],
  ])(
    'is stated together with the tax id that it depends on, even if that changes while %s issues the invoice',
    async (_who, issue) => {
      const { db, owner } = service.database;
      const admin = await signUpBuyer({ taxId: 'ATU12345678', country: 'AT' });
      await issueInvoice(service, (await signUpAdmin(service)).companyId);
      const waiting = () => db`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // The invoice waits for its number while the company clears its tax id. Before and after the change both must
      // agree.
      const [issuing, clearing] = await owner.begin(async (tx) => {
        await tx`SELECT 1 FROM number_series FOR UPDATE`;
        const issuing = issue(admin);
        await pollUntil(waiting, ({ length }) => length > 0);
        const clearing = describeBuyer(admin, { taxId: '', country: '' });
        await Promise.race([clearing, pollUntil(waiting, ({ length }) => length > 1)]);
        return [issuing, clearing] as const;
      });
      const { id, reverseCharge } = await issuing;
      await clearing;
      const { text } = await readInvoicePdf(service, admin, id);
      expect([reverseCharge, text.includes('Tax ID: ATU12345678')]).toEqual([true, true]);
    },
  );

  // Security (Amounts, documents and card data): Only a tax id in the form of its country exempts a company from tax
  it.each([
    ['a hyphen', { taxId: '-', country: 'FR' }],
    ['a number of another country', { taxId: 'FR12345678901', country: 'Spain' }],
    ['a number of the country of the seller beside France', { taxId: 'DE123456789', country: 'France' }],
    ['a number that lacks a digit', { taxId: 'FR1234567890', country: 'FR' }],
    ['a number of the country of the seller', { taxId: 'DE123456789', country: 'Deutschland' }],
    ['a number of an unknown country', { taxId: '123456789', country: '' }],
  ])('does not apply to %s: tax is billed', async (_what, information) => {
    const admin = await signUpBuyer(information);
    const path = `/operator/companies/${admin.companyId}/billing-settings`;
    const { taxExempt } = (await service.call('GET', path, { token: service.operatorKey })).body;
    expect(taxExempt).toBe(false);
    expect((await issueInvoice(service, admin.companyId)).reverseCharge).toBe(false);
  });

  it('names no directive for a buyer outside the EU, and is not stated where no format is known', async () => {
    const swiss = await signUpBuyer({ taxId: 'CHE-123.456.789 MWST', country: 'CH' });
    const { id } = await issueInvoice(service, swiss.companyId);
    const { text } = await readInvoicePdf(service, swiss, id);
    expect(text).toContain('Reverse charge: the recipient is liable for the tax.');
    const american = await signUpBuyer({ taxId: '12-3456789', country: 'US' });
    const path = `/operator/companies/${american.companyId}/billing-settings`;
    const settings = (await service.call('GET', path, { token: service.operatorKey })).body;
    expect(settings).toMatchObject({ taxExempt: true, vatId: { country: 'US', form: 'unknown' } });
    expect((await issueInvoice(service, american.companyId)).reverseCharge).toBe(false);
  });
});
