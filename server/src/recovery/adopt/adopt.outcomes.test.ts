/** What happens to each kind of entry of a journal when the database is not as it was then: who is told what, and what is left alone. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoicesOf } from '../../../test/billing/billing.ts';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  expectSoundBooks,
  paymentOf,
  preparePayable,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { captureAgain } from '../../../test/recovery/objects.ts';
import { release, resolveCapture } from '../../../test/recovery/resolve.ts';

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

const operate = (path: string, body: object) => service.call('POST', path, { token: service.operatorKey, body });

/** Deals with everything. @returns what was decided about the company's cases */
async function decideAll(): Promise<[string, string][]> {
  expect(expectStatus(await adopt(service), 200).body.remaining).toBe(0);
  return (await listCases(service, admin.companyId)).map(({ state, note }) => [state, note ?? '']);
}

describe('an invoice', () => {
  it('of a reference that was invoiced again is superseded without a person', async () => {
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
    const { id, number } = await issue();
    let other = { id: '', number: '' };
    await goBack(async () => {
      other = await issue();
    });
    expect(other.number).toBe(number);
    const told = `another document has its number. If GET /operator/invoices/${id} finds it`;
    expect(await decideAll()).toEqual([['person', expect.stringContaining(told)]]);
    expect(await invoicesOf(service, admin)).toMatchObject([{ id: other.id, number }]);
    const path = '/operator/lost-numbers';
    expect((await service.call('GET', path, { token: service.operatorKey })).body.total).toBe(0);
  });
});

describe('an invoice that was paid on another machine before the journal here got it', () => {
  /** As a machine does with what another one has committed, whose journal is lost. */
  const noteLate = async () => {
    await service.database.owner`
      UPDATE recovery_cases SET happened_at = happened_at + interval '1 minute' WHERE kind = 'invoice' AND state = 'open'`;
  };
  const readInvoice = async () => {
    const [{ updatedAt: _updated, collection: _collection, payment, ...invoice }] = await invoicesOf(service, admin);
    return { ...invoice, payment: payment?.id };
  };
  const losePaid = async () => {
    const { goBack } = await prepareToGoBack(service);
    expectStatus(await pay(await issue({ reference: 'order-2' })), 200);
    const before = await readInvoice();
    await goBack();
    await noteLate();
    expect((await decideAll()).map(([state]) => state)).toEqual(['done', 'done']);
    expect(await readInvoice()).toEqual(before);
  };

  it('is written again as it was issued when it was paid by card', async () => {
    await saveCard(service, admin);
    await losePaid();
  });

  it('is paid again when it was paid by credit', async () => {
    await grant('50.00');
    await losePaid();
  });
});

it('a correction of an invoice that only a lost journal had waits for a person; the note says that a run may issue it', async () => {
  await grant('50.00');
  const { goBack } = await prepareToGoBack(service);
  const { id, number } = await issue();
  expectStatus(await credit(service, id, { amount: '8.00' }), 201);
  expectStatus(await pay({ id }), 200);
  await goBack();
  await service.database.owner`DELETE FROM recovery_cases WHERE kind = 'invoice' AND number = ${number}`;
  const isTold = expect.stringMatching(
    /The invoice is not in the database\. If it was of a billing run, .* issues it again after the hold, with the same id\. /,
  );
  expect(await decideAll()).toEqual([
    ['person', isTold],
    ['person', isTold],
  ]);
  const lost = { amount: '8.00', currency: 'USD' };
  expect((await listCases(service, admin.companyId))[0]).toMatchObject({ kind: 'credit_note', ...lost });
  const { data } = (await service.call('GET', '/operator/lost-numbers', { token: service.operatorKey })).body;
  expect(data[0]).toMatchObject({ type: 'credit_note', total: '8.00', currency: 'USD' });
});

const listLeft = () => listCases(service, admin.companyId, '&state=person');

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
    told: /The invoice is not as it was then\. .*\/void, or credit it/,
  },
  {
    name: 'a credit note of an invoice that is void',
    lose: ({ id }) => credit(service, id, { amount: '1.00' }),
    meanwhile: ({ id }) => voidInvoice(service, id),
    told: /The invoice is not as it was then\. .*\/credit-notes/,
  },
  {
    name: 'a revocation of credit that is spent',
    lose: () => grant('-50.00'),
    meanwhile: pay,
    told: /credit of the company is not as it was then\. .*\/credits/,
  },
  {
    name: 'a payment with credit that is revoked',
    lose: pay,
    meanwhile: () => grant('-50.00'),
    told: /less credit than this payment used\. .*\/charge/,
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
    expect(await release(service, [open.number])).toEqual({ released: 1, unknown: [] });
    expectStatus(await pay(open), 200);
  });

  it('a refund to credit, of which less is left', async () => {
    await grant('50.00');
    const { paymentId } = expectStatus(await pay(await issue()), 200).body;
    const { goBack } = await prepareToGoBack(service);
    expectStatus(await postRefund(service, { paymentId }, { amount: '40.00' }), 201);
    await goBack(() => postRefund(service, { paymentId }, { amount: '20.00' }));
    expect(await decideAll()).toEqual([
      ['person', expect.stringMatching(/The invoice is not as it was then\. .*\/credit-notes/)],
      ['person', expect.stringMatching(/the credit note is not in the database\. .*\/refunds/)],
    ]);
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '20.00' }]);
  });
});

describe('a case for a person counts as done', () => {
  it.each(['succeeded', 'refunded'])('once the payment that it is about is resolved as %s', async (outcome) => {
    const payable = await preparePayable(service);
    ({ admin } = payable);
    const { goBack } = await prepareToGoBack(service);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const isRefunded = outcome === 'refunded';
    if (isRefunded) expectStatus(await postRefund(service, { paymentId }, { amount: '5.00' }), 201);
    await goBack(() => credit(service, payable.invoice.id, { amount: '8.00' }));
    const counts = async () =>
      (await service.call('GET', '/operator/recovery', { token: service.operatorKey })).body.cases;
    const before = await counts();
    await decideAll();
    const left = await listLeft();
    const decided = ['payment', ...(isRefunded ? ['refund'] : [])];
    const others = isRefunded ? ['credit_note'] : [];
    expect(left.map(({ kind }) => kind).toSorted()).toEqual([...others, ...decided]);
    expect((await counts()).person).toBe(before.person + left.length);
    await releaseCharges(service);
    expectStatus(await operate(`/operator/payments/${paymentId}/resolve`, { outcome }), 200);
    expect((await listLeft()).map(({ kind }) => kind)).toEqual(others);
    expect((await counts()).person).toBe(before.person + others.length);
    const done = (await listCases(service, admin.companyId, '&state=done')).map(({ kind, state }) => [kind, state]);
    expect(done).toEqual(decided.map((kind) => [kind, 'done']));
  });

  it('once its company is replaced', async () => {
    const { goBack } = await prepareToGoBack(service);
    const payable = await preparePayable(service);
    ({ admin } = payable);
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    expectStatus(await postRefund(service, { paymentId }, { amount: '5.00' }), 201);
    expectStatus(await voidInvoice(service, (await issue()).id), 200);
    await grant('7.00');
    await goBack();
    await decideAll();
    expect((await listLeft()).length).toBeGreaterThan(0);
    const heir = await signUpAdmin(service);
    const companies = [{ companyId: admin.companyId, newCompanyId: heir.companyId }];
    expect(expectStatus(await adopt(service, { companies }), 200).body.remaining).toBe(0);
    expect(await listLeft()).toEqual([]);
    expect(await listCases(service, heir.companyId, '&state=person')).toEqual([]);
  });
});

it('an invoice that awaits release is listed with the payment under review that has captured a part of it', async () => {
  const payable = await preparePayable(service);
  ({ admin } = payable);
  await grant('20.00');
  const { goBack } = await prepareToGoBack(service);
  const { paymentId } = expectStatus(await payable.pay(), 200).body;
  await goBack(() => grant('-20.00'));
  await decideAll();
  await service.database.owner`
    INSERT INTO journals (id, host, directory, lost_at, lost_in)
    SELECT gen_random_uuid(), 'billing-2', '/journal', now(), id FROM charges_holds WHERE ended_at IS NULL`;
  await releaseCharges(service);
  const readWaiting = async () => {
    const path = '/operator/recovery/invoices?perPage=100';
    const { body } = await service.call('GET', path, { token: service.operatorKey });
    return body.data.filter(({ companyId }: { companyId: string }) => companyId === admin.companyId);
  };
  const under = { paymentUnderReview: paymentId };
  expect(await readWaiting()).toMatchObject([{ amountDue: '48.00', ...under }]);
  expectStatus(await operate(`/operator/payments/${paymentId}/resolve`, { outcome: 'succeeded' }), 200);
  const none = { paymentUnderReview: null };
  expect(await readWaiting()).toMatchObject([{ amountDue: '20.00', ...none }]);
});

describe('the decision of a person that is lost is no case, and is made again:', () => {
  it('that a capture of another amount is accepted', async () => {
    const payable = await preparePayable(service);
    ({ admin } = payable);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor: '5000' });
    expect((await payable.pay()).status).toBe(409);
    await service.sandbox.clearFaults();
    const { id } = await paymentOf(service, payable);
    const { goBack } = await prepareToGoBack(service);
    const resolve = () => operate(`/operator/payments/${id}/resolve`, { outcome: 'succeeded' });
    expectStatus(await resolve(), 200);
    await goBack();
    expect(await decideAll()).toEqual([]);
    expect(await compareNow(service)).toBe(0);
    await releaseCharges(service);
    expect((await paymentOf(service, payable)).state).toBe('needs_review');
    expectStatus(await resolve(), 200);
    expect((await readLedger(service, admin.companyId)).balance).toBe('2.00');
  });

  it('that a second capture is credit', async () => {
    const payable = await preparePayable(service);
    ({ admin } = payable);
    expectStatus(await payable.pay(), 200);
    const first = await prepareToGoBack(service);
    const gatewayPaymentId = await captureAgain(service, payable);
    await first.goBack();
    await adopt(service);
    await releaseCharges(service);
    const { goBack } = await prepareToGoBack(service);
    const accept = () => resolveCapture(service, gatewayPaymentId, 'accepted');
    expectStatus(await accept(), 200);
    await goBack();
    expect((await decideAll()).map(([state]) => state)).toEqual(['person']);
    expectStatus(await accept(), 200);
    expect((await readLedger(service, admin.companyId)).balance).toBe('48.00');
  });
});
