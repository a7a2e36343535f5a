/** What happens to each kind of entry of a journal when the database is not as it was then: who is told what, and what is left alone. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoicesOf } from '../../../test/billing/billing.ts';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { type ChargeService, expectSoundBooks, startChargeService } from '../../../test/payments/charge.ts';
import { postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { adopt, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: ChargeService;
let admin: Actor;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
beforeEach(async () => {
  admin = await signUpAdmin(service);
});
afterEach(async () => {
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(async () => service?.stop());

const issue = (changes: object = {}) => issueInvoice(service, admin.companyId, changes);
const grant = (amount: string) => grantCredit(service, admin.companyId, { amount });
const pay = ({ id }: { id: string }) => service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });

/** Deals with everything. @returns what was decided about the company's cases */
async function decideAll(): Promise<[string, string][]> {
  expect(expectStatus(await adopt(service), 200).body.remaining).toBe(0);
  return (await listCases(service, admin.companyId)).map(({ state, note }) => [state, note ?? '']);
}

describe('an invoice', () => {
  it('of a reference that was invoiced again is superseded, and nobody is asked', async () => {
    const { goBack } = await prepareToGoBack(service);
    await issue({ reference: 'order-1' });
    let again = { id: '', number: '' };
    await goBack(async () => {
      again = await issue({ reference: 'order-1' });
    });
    expect(await decideAll()).toEqual([['done', expect.stringContaining(`superseded by ${again.number}`)]]);
    expect(await invoicesOf(service, admin)).toMatchObject([{ id: again.id }]);
  });

  it('whose number is another document’s by now is left to a person; the other one keeps it', async () => {
    const { goBack } = await prepareToGoBack(service);
    const { number } = await issue();
    let other = { id: '', number: '' };
    await goBack(async () => {
      other = await issue();
    });
    expect(other.number).toBe(number);
    expect(await decideAll()).toEqual([
      ['person', expect.stringMatching(/another document has its number.*POST \/operator\/invoices/)],
    ]);
    expect(await invoicesOf(service, admin)).toMatchObject([{ id: other.id, number }]);
    const path = '/operator/lost-numbers';
    expect((await service.call('GET', path, { token: service.operatorKey })).body.total).toBe(0);
  });
});

type Payable = { id: string };
type Lost = {
  name: string;
  lose: (open: Payable) => Promise<unknown>;
  meanwhile: (open: Payable) => Promise<unknown>;
  told: RegExp;
};

const CASES: Lost[] = [
  {
    name: 'a void of an invoice that is credited',
    lose: ({ id }) => voidInvoice(service, id),
    meanwhile: ({ id }) => credit(service, id, { amount: '1.00' }),
    told: /The invoice has credit notes\. .*\/void, or credit it/,
  },
  {
    name: 'a credit note of an invoice that is void',
    lose: ({ id }) => credit(service, id, { amount: '1.00' }),
    meanwhile: ({ id }) => voidInvoice(service, id),
    told: /The invoice is void\. .*\/credit-notes/,
  },
  {
    name: 'a revocation of credit that is spent',
    lose: () => grant('-50.00'),
    meanwhile: pay,
    told: /less credit than this takes\. .*\/credits/,
  },
  {
    name: 'a payment with credit that is revoked',
    lose: pay,
    meanwhile: () => grant('-50.00'),
    told: /less credit than this took\. .*\/charge/,
  },
];

const STILL_OPEN = [
  ...CASES.filter(({ name }) => /^a void|^a payment/.test(name)),
  {
    name: 'a credit note of more than is left',
    lose: ({ id }: Payable) => credit(service, id, { amount: '40.00' }),
    meanwhile: ({ id }: Payable) => credit(service, id, { amount: '20.00' }),
  },
];

describe('is left to a person, with the reason and what can be done:', () => {
  it.each(CASES)('$name', async ({ lose, meanwhile, told }) => {
    await grant('50.00');
    const open = await issue();
    const { goBack } = await prepareToGoBack(service);
    await lose(open);
    await goBack(() => meanwhile(open));
    const [before] = await invoicesOf(service, admin);
    const { balance } = await readLedger(service, admin.companyId);
    expect(await decideAll()).toEqual([['person', expect.stringMatching(told)]]);
    expect(await invoicesOf(service, admin)).toEqual([before]);
    expect((await readLedger(service, admin.companyId)).balance).toBe(balance);
  });

  it.each(STILL_OPEN)('$name: the invoice is charged only after a release', async ({ lose, meanwhile }) => {
    await grant('50.00');
    const open = await issue();
    const { goBack } = await prepareToGoBack(service);
    await lose(open);
    await goBack(() => meanwhile(open));
    const told = expect.stringContaining(`reconcile --adopt --release ${open.number}`);
    expect(await decideAll()).toEqual([['person', told]]);
    await releaseCharges(service);
    await grant('50.00');
    const shown = await service.call('GET', `/payments/orders/${open.id}`, { token: admin.token });
    expect(shown.body.collection.state).toBe('awaiting_release');
    expect((await pay(open)).body.error.code).toBe('awaiting_release');
    const body = { invoices: [open.number] };
    const released = await service.call('POST', '/operator/recovery/release', { token: service.operatorKey, body });
    expect(expectStatus(released, 200).body).toEqual({ released: 1, unknown: [] });
    expectStatus(await pay(open), 200);
  });

  it('a refund to credit, of which less is left', async () => {
    await grant('50.00');
    const { paymentId } = expectStatus(await pay(await issue()), 200).body;
    const { goBack } = await prepareToGoBack(service);
    expectStatus(await postRefund(service, { paymentId }, { amount: '40.00' }), 201);
    await goBack(() => postRefund(service, { paymentId }, { amount: '20.00' }));
    expect(await decideAll()).toEqual([
      ['person', expect.stringMatching(/Less than that is left of the invoice to credit\. .*\/credit-notes/)],
      ['person', expect.stringMatching(/credit note of the refund is not in the database\. .*\/refunds/)],
    ]);
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '20.00' }]);
  });
});
