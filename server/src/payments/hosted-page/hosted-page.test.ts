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
import { saveAccount } from '../../../test/payments/paypal-accounts.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

type Debtor = Actor & { invoiceId: string; number: string; path: string };

async function prepare({ cardNumber, changes = {} }: { cardNumber?: string; changes?: object } = {}): Promise<Debtor> {
  const admin = await signUpAdmin(service);
  if (cardNumber !== undefined) await saveCard(service, admin, { cardNumber });
  const { id, number } = await issueInvoice(service, admin.companyId, changes);
  return { ...admin, invoiceId: id, number, path: await pathOfPage(service, id) };
}

const attempts = async ({ invoiceId, token }: Debtor) =>
  expectStatus(await service.call('GET', `/payments/orders/${invoiceId}`, { token }), 200).body.attempts;

describe('the page of an invoice', () => {
  it('shows the invoice and the saved card, and pays with it', async () => {
    const debtor = await prepare({ cardNumber: CARDS.visa });
    const page = await open(service, debtor.path);
    expect([page.status, stateOn(page)]).toEqual([200, 'due']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const words of [debtor.number, '$48.00', 'Speech to text', 'Visa •••• 4242'])
      expect(page.text).toContain(words);
    expect(page.text).not.toContain(debtor.email);
    const posted = await post(service, debtor.path, { card: 'saved' });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, debtor.path]);
    const paid = await open(service, debtor.path);
    expect(stateOn(paid)).toBe('paid');
    expect(paid.text).not.toContain('<form');
    expect(await attempts(debtor)).toMatchObject([{ status: 'Succeeded', amount: '48.00' }]);
    expect((await post(service, debtor.path, { card: 'saved' })).status).toBe(303);
    expect(await attempts(debtor)).toHaveLength(1);
  });

  it('takes a card that pays this invoice alone', async () => {
    const debtor = await prepare();
    const page = await open(service, debtor.path);
    expect(page.text).not.toContain('value="saved"');
    expect((await post(service, debtor.path, typedFields())).status).toBe(303);
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
    expect(await attempts(debtor)).toMatchObject([{ status: 'Succeeded', cardId: null, card: null, method: 'Card' }]);
    expect(expectStatus(await service.call('GET', '/payments/cards', { token: debtor.token }), 200).body).toEqual([]);
    const logs = service.logs();
    for (const secret of ['4242424242424242', debtor.path.split('/').at(-1) ?? '']) expect(logs).not.toContain(secret);
  });

  it('tells why the bank declined, and takes another card', async () => {
    const debtor = await prepare({ cardNumber: CARDS.insufficientFunds });
    expect((await post(service, debtor.path, { card: 'saved' })).status).toBe(303);
    const failed = await open(service, debtor.path);
    expect(stateOn(failed)).toBe('failed');
    expect(failed.text).toContain('There is not enough money for this payment.');
    expect((await post(service, debtor.path, typedFields({ cardNumber: CARDS.mastercard }))).status).toBe(303);
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
    expect(await attempts(debtor)).toMatchObject([{ status: 'Failed' }, { status: 'Succeeded', cardId: null }]);
  });

  it('charges once for a form that is sent twice, and for one of a page from before', async () => {
    const debtor = await prepare({ cardNumber: CARDS.declined });
    const [, after = ''] = /name="after" value="([^"]+)"/.exec((await open(service, debtor.path)).text) ?? [];
    await Promise.all([1, 2, 3].map(() => post(service, debtor.path, { card: 'saved', after })));
    await post(service, debtor.path, { card: 'saved', after });
    expect(await attempts(debtor)).toHaveLength(1);
    const both = await prepare();
    await Promise.all([1, 2, 3].map(() => post(service, both.path, typedFields())));
    expect(await attempts(both)).toMatchObject([{ status: 'Succeeded' }]);
  });

  it('names the fields that are wrong, and keeps nothing of them in the address', async () => {
    const debtor = await prepare();
    const typed = typedFields({ cardNumber: '4242 4242 4242 4241', cvv: '12', cardName: '', expMonth: '13' });
    const location = (await post(service, debtor.path, typed)).headers.get('location') ?? '';
    expect(location).toBe(`${debtor.path}?notice=check_card&fields=cardNumber.expMonth.cvv.cardName`);
    const page = await open(service, location);
    expect(stateOn(page)).toBe('due');
    expect([...page.text.matchAll(/id="(\w+)-error"/g)].map(([, field]) => field)).toEqual([
      ...['cardNumber', 'expMonth', 'cvv', 'cardName'],
    ]);
    expect(page.text).not.toContain('4241');
    const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
    const expired = typedFields({
      expYear: String(month === 0 ? year - 1 : year),
      expMonth: String(month === 0 ? 12 : month),
    });
    const field = month === 0 ? 'expYear' : 'expMonth';
    expect((await post(service, debtor.path, expired)).headers.get('location')).toContain(`fields=${field}`);
    expect(await attempts(debtor)).toEqual([]);
  });

  it('says that an answer is awaited, and finds out', async () => {
    const debtor = await prepare({ cardNumber: CARDS.visa });
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await post(service, debtor.path, { card: 'saved' })).status).toBe(303);
    const waiting = await open(service, debtor.path);
    expect(stateOn(waiting)).toBe('processing');
    expect(waiting.text).not.toContain('<form');
    await service.reconcileNow();
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
  });

  it('offers the saved PayPal account alone', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId, { method: 'paypal' });
    const path = await pathOfPage(service, id);
    expect((await open(service, path)).text).not.toContain('<form');
    expect((await post(service, path, typedFields())).headers.get('location')).toContain('notice=not_taken');
    await saveAccount(service, admin);
    const page = await open(service, path);
    expect(page.text).toContain('PayPal account');
    expect(page.text).not.toContain('cardNumber');
    expect(page.text).not.toContain('@');
    await post(service, path, { card: 'saved' });
    expect(stateOn(await open(service, path))).toBe('paid');
  });

  it('takes money of a disabled company', async () => {
    const debtor = await prepare();
    const path = `/operator/companies/${debtor.companyId}`;
    expectStatus(await service.call('PUT', path, { token: service.operatorKey, body: { disabled: true } }), 200);
    await post(service, debtor.path, typedFields());
    expect(stateOn(await open(service, debtor.path))).toBe('paid');
  });

  it('has no form once the invoice is void', async () => {
    const debtor = await prepare({ cardNumber: CARDS.visa });
    const path = `/operator/invoices/${debtor.invoiceId}/void`;
    expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
    const page = await open(service, debtor.path);
    expect([stateOn(page), page.text.includes('<form')]).toEqual(['void', false]);
    expect((await post(service, debtor.path, { card: 'saved' })).status).toBe(303);
    expect(await attempts(debtor)).toEqual([]);
  });

  it('says what is not possible', async () => {
    const debtor = await prepare();
    for (const [fields, notice] of [
      [{ card: 'saved' }, 'no_method'],
      [{ card: 'other' }, 'not_taken'],
      [{}, 'not_taken'],
    ] as const) {
      const { status, headers } = await post(service, debtor.path, fields);
      expect([status, headers.get('location')]).toEqual([303, `${debtor.path}?notice=${notice}`]);
    }
  });

  it('is in the language of the browser', async () => {
    const { path } = await prepare();
    for (const [accept, language, words] of [
      ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Diese Rechnung bezahlen'],
      ['it,fr;q=0.7,es;q=0.8', 'es', 'Pagar esta factura'],
      ['fr', 'fr', 'Payer cette facture'],
      ['ja,de;q=0', 'en', 'Pay this invoice'],
    ] as const) {
      const { text } = await open(service, path, { headers: { 'accept-language': accept } });
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(words);
    }
  });

  it('has the PDF', async () => {
    const { path } = await prepare();
    const { status, headers, text } = await open(service, `${path}/pdf`);
    expect([status, headers.get('content-type'), text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
  });
});

describe('while charges are held', () => {
  it('the page has no form, and a form from before charges nothing', async () => {
    const debtor = await prepare({ cardNumber: CARDS.visa });
    service.chargesHold.suspect('test', 'The database may have gone back.');
    const page = await open(service, debtor.path);
    const posted = await post(service, debtor.path, { card: 'saved' });
    service.chargesHold.suspect('test', null);
    expect([stateOn(page), page.text.includes('<form'), posted.status]).toEqual(['processing', false, 303]);
    expect(await attempts(debtor)).toEqual([]);
  });

  it('an invoice that awaits its release has no form', async () => {
    const debtor = await prepare({ cardNumber: CARDS.visa });
    await service.database.owner`UPDATE collections SET awaits_release = true WHERE invoice_id = ${debtor.invoiceId}`;
    const page = await open(service, debtor.path);
    expect([stateOn(page), page.text.includes('<form')]).toEqual(['processing', false]);
    expect((await post(service, debtor.path, { card: 'saved' })).status).toBe(303);
    expect(await attempts(debtor)).toEqual([]);
  });
});
