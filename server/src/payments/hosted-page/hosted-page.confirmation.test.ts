import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** A published test card whose bank asks the holder to confirm each charge. */
const ASKS = '4000002760003184';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

type Debtor = Actor & { invoiceId: string; path: string };

/** An invoice whose payment waits: by a card that is not saved, or by the saved one. */
async function prepareWaiting(card: 'new' | 'saved'): Promise<Debtor> {
  const admin = await signUpAdmin(service);
  if (card === 'saved') await saveCard(service, admin, { cardNumber: ASKS });
  const { id } = await issueInvoice(service, admin.companyId);
  const path = await pathOfPage(service, id);
  const posted = await post(service, path, card === 'saved' ? { card } : typedFields({ cardNumber: ASKS }));
  expect([posted.status, posted.headers.get('location')]).toEqual([303, path]);
  return { ...admin, invoiceId: id, path };
}

const read = async ({ invoiceId, token }: Debtor) =>
  expectStatus(await service.call('GET', `/payments/orders/${invoiceId}`, { token }), 200).body;
const clientSecretOf = async (debtor: Debtor) => (await read(debtor)).attempts[0].nextAction.clientSecret;

it.each(['new', 'saved'] as const)('a payment with a %s card is confirmed on the page', async (card) => {
  const debtor = await prepareWaiting(card);
  const asking = await open(service, debtor.path);
  expect(stateOn(asking)).toBe('confirm');
  expect(asking.text).toContain(`action="${debtor.path}/confirm"`);
  expect(asking.text).not.toContain(await clientSecretOf(debtor));
  const { attempts } = await read(debtor);
  expect(attempts).toMatchObject([{ status: 'RequiresAction' }]);
  expect(new URL(attempts[0].nextAction.url).pathname).toBe(debtor.path);
  const posted = await post(service, `${debtor.path}/confirm`, { outcome: 'succeed' });
  expect([posted.status, posted.headers.get('location')]).toEqual([303, debtor.path]);
  expect(stateOn(await open(service, debtor.path))).toBe('paid');
  expect((await read(debtor)).attempts).toMatchObject([{ status: 'Succeeded' }]);
  expect((await post(service, `${debtor.path}/confirm`, { outcome: 'succeed' })).status).toBe(303);
});

it('a payment that is refused at the bank has failed, and another card pays', async () => {
  const debtor = await prepareWaiting('new');
  expect((await post(service, `${debtor.path}/confirm`, { outcome: 'fail' })).status).toBe(303);
  const failed = await open(service, debtor.path);
  expect(stateOn(failed)).toBe('failed');
  expect(failed.text).toContain('The payment was not confirmed at the bank.');
  await post(service, debtor.path, typedFields());
  expect(stateOn(await open(service, debtor.path))).toBe('paid');
});

it('a payment that was confirmed elsewhere is paid when the page is opened', async () => {
  const debtor = await prepareWaiting('new');
  const body = { clientSecret: await clientSecretOf(debtor), outcome: 'succeed' };
  expectStatus(await service.call('POST', '/gateways/sandbox/challenges', { body }), 200);
  expect(stateOn(await open(service, debtor.path))).toBe('paid');
});

it('another card takes the place of a payment that waits', async () => {
  const debtor = await prepareWaiting('new');
  await post(service, debtor.path, typedFields({ cardNumber: CARDS.mastercard }));
  expect(stateOn(await open(service, debtor.path))).toBe('paid');
  expect((await read(debtor)).attempts).toMatchObject([
    { status: 'Failed', failureReason: 'canceled' },
    { status: 'Succeeded' },
  ]);
});

it('an answer that is none leaves the payment waiting', async () => {
  const debtor = await prepareWaiting('new');
  const posted = await post(service, `${debtor.path}/confirm`, { outcome: 'maybe' });
  expect([posted.status, stateOn(await open(service, debtor.path))]).toEqual([303, 'confirm']);
});
