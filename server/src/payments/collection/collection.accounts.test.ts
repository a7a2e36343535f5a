/** The collection of invoices of the method paypal, from the company's PayPal account. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { grantCredit, putSettings } from '../../../test/billing/credits.ts';
import { CARDS, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { expectSoundBooks } from '../../../test/payments/charge.ts';
import {
  type CollectionService,
  collectAfterDays,
  type Debtor,
  outcomesOf,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';
import { SETUPS, saveAccount } from '../../../test/payments/paypal-accounts.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const DECLINED = 'Failed instrument_declined';
const CLOSED = 'Failed payer_account_locked_or_closed';
const stateOf = async (debtor: Debtor) => (await readDebt(service, debtor)).collection.state;

/** A company with an invoice of 48.00 USD by PayPal, and with this default account if one is given. */
async function prepareDebtor(setupToken?: string, settings: object = {}): Promise<Debtor> {
  const admin = await signUpAdmin(service);
  if (setupToken !== undefined) await saveAccount(service, admin, { setupToken, isDefault: true });
  expectStatus(await putSettings(service, admin.companyId, settings), 200);
  return { admin, invoiceId: (await issueInvoice(service, admin.companyId, { method: 'paypal' })).id };
}

it('is charged to the default account once it is due', async () => {
  const debtor = await prepareDebtor('setup-that-pays');
  const { token } = debtor.admin;
  const [{ id: accountId }] = (await service.call('GET', '/payments/paypal-accounts', { token })).body;
  await service.collect();
  await service.collect();
  expect(await readDebt(service, debtor)).toMatchObject({
    status: 'Succeeded',
    collection: { state: 'closed' },
    attempts: [{ initiator: 'automatic', status: 'Succeeded', cardId: null, paypalAccount: { id: accountId } }],
  });
});

it('is automatic while there is a default account, whatever the default card is, and the other way round', async () => {
  const debtor = await prepareDebtor();
  const { admin } = debtor;
  await saveCard(service, admin, { isDefault: true });
  await saveAccount(service, admin, { setupToken: 'not-the-default' });
  await service.collect();
  expect(await readDebt(service, debtor)).toMatchObject({ attempts: [], collection: { state: 'manual' } });

  const other = await prepareDebtor('setup-beside-no-card');
  const byCard = { ...other, invoiceId: (await issueInvoice(service, other.admin.companyId)).id };
  await service.collect();
  expect(await outcomesOf(service, other)).toEqual(['Succeeded']);
  expect(await readDebt(service, byCard)).toMatchObject({ attempts: [], collection: { state: 'manual' } });

  await saveAccount(service, admin, { setupToken: 'the-default', isDefault: true });
  await saveCard(service, other.admin, { isDefault: true });
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual(['Succeeded']);
  expect(await outcomesOf(service, byCard)).toEqual(['Succeeded']);
});

it('`automatic` waits for an account, and charges the only one as by hand', async () => {
  const debtor = await prepareDebtor(undefined, { collection: 'automatic' });
  await saveCard(service, debtor.admin, { isDefault: true });
  await service.collect();
  expect(await readDebt(service, debtor)).toMatchObject({
    attempts: [],
    collection: { state: 'awaiting_payment_method' },
  });
  await saveAccount(service, debtor.admin);
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual(['Succeeded']);
});

it('is repeated after 2, 5, 7 and 7 days when it is refused, and then waits for another default account', async () => {
  const debtor = await prepareDebtor(`${SETUPS.declined}-100`);
  await service.collect();
  for (const days of [2, 5, 7, 7]) await collectAfterDays(service, days);
  await collectAfterDays(service, 50);
  expect(await outcomesOf(service, debtor)).toEqual(Array(5).fill(DECLINED));
  expect(await readDebt(service, debtor)).toMatchObject({
    status: 'Failed',
    collection: { state: 'exhausted', dunningStep: 5 },
  });
  // A card, and an account that is not charged, are nothing to it.
  await saveCard(service, debtor.admin, { isDefault: true });
  await saveAccount(service, debtor.admin);
  await service.collect();
  expect(await stateOf(debtor)).toBe('exhausted');
  await saveAccount(service, debtor.admin, { isDefault: true });
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual([...Array(5).fill(DECLINED), 'Succeeded']);
});

it('goes to a new default account at once, which has the whole schedule', async () => {
  const debtor = await prepareDebtor(`${SETUPS.declined}-200`);
  await service.collect();
  await collectAfterDays(service, 2);
  expect(await readDebt(service, debtor)).toMatchObject({ collection: { dunningStep: 2 } });
  await saveAccount(service, debtor.admin, { setupToken: `${SETUPS.declined}-201`, isDefault: true });
  await service.collect();
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual([DECLINED, DECLINED, DECLINED]);
  expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'scheduled', dunningStep: 1 } });
});

it('is tried with no account that is closed for good, whatever the invoice, until there is another', async () => {
  const debtor = await prepareDebtor(`${SETUPS.closed}-300`);
  await service.collect();
  expect(await stateOf(debtor)).toBe('awaiting_payment_method');
  const { companyId } = debtor.admin;
  const second = { ...debtor, invoiceId: (await issueInvoice(service, companyId, { method: 'paypal' })).id };
  await saveCard(service, debtor.admin, { cardNumber: CARDS.visa, isDefault: true });
  const byCard = { ...debtor, invoiceId: (await issueInvoice(service, companyId)).id };
  await collectAfterDays(service, 30);
  expect(await outcomesOf(service, debtor)).toEqual([CLOSED]);
  expect(await readDebt(service, second)).toMatchObject({
    attempts: [],
    collection: { state: 'awaiting_payment_method' },
  });
  expect(await outcomesOf(service, byCard)).toEqual(['Succeeded']);
  await saveAccount(service, debtor.admin, { isDefault: true });
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual([CLOSED, 'Succeeded']);
  expect(await outcomesOf(service, second)).toEqual(['Succeeded']);
});

it('goes to the account that is left when the refused one is deleted', async () => {
  const debtor = await prepareDebtor(`${SETUPS.closed}-400`, { collection: 'automatic' });
  await service.collect();
  await saveAccount(service, debtor.admin);
  const { token } = debtor.admin;
  const { body: accounts } = await service.call('GET', '/payments/paypal-accounts', { token });
  const { id } = accounts.find(({ isDefault }: { isDefault: boolean }) => isDefault);
  expectStatus(await service.call('DELETE', `/payments/paypal-accounts/${id}`, { token }), 204);
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual([CLOSED, 'Succeeded']);
});

it('takes the credit first, and all of it without an account', async () => {
  const debtor = await prepareDebtor('setup-beside-credit');
  await grantCredit(service, debtor.admin.companyId, { amount: '20.00' });
  const covered = await prepareDebtor(undefined, { collection: 'automatic' });
  await grantCredit(service, covered.admin.companyId, { amount: '48.00' });
  await service.collect();
  expect((await readDebt(service, debtor)).attempts).toMatchObject([{ amount: '28.00', creditAmount: '20.00' }]);
  expect(await readDebt(service, covered)).toMatchObject({ status: 'Succeeded', attempts: [{ paypalAccount: null }] });
});
