/** Cards whose bank asks the holder, as their publisher documents them. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmationOf, paymentKeys } from '../../gateway/gateway.testing.ts';
import { startTestGateway, type TestGateway, testCard } from '../sandbox.testing.ts';

let sandbox: TestGateway;
beforeAll(async () => {
  sandbox = await startTestGateway();
});
afterAll(() => sandbox.close());

const browser = () => {
  const { fields } = sandbox.gateway;
  if (fields?.browser === undefined) throw new Error('The sandbox has fields.');
  return { ...fields, ...fields.browser };
};

function typed(number: string) {
  const { holder: _holder, ...card } = testCard(number);
  return card;
}

/** Saves the card in the fields, where its bank asks. */
async function setUp(number: string): Promise<string> {
  const { createSetup, confirmSetup, answerChallenge, findSetup } = browser();
  const { id, clientSecret } = await createSetup({
    setupId: randomUUID(),
    method: 'Card',
    holder: { companyId: randomUUID(), customer: null },
  });
  expect(await confirmSetup(clientSecret, { card: typed(number) })).toBe('requires_action');
  expect(await answerChallenge(clientSecret, 'succeed')).toBe('succeeded');
  return (await findSetup(id)).card?.token ?? '';
}

async function charge(sourceToken: string, session: 'on' | 'off') {
  const { gateway } = sandbox;
  const { id } = await gateway.createPayment({ ...paymentKeys(), amountMinor: 500n, currency: 'EUR', sourceToken });
  return gateway.confirmPayment({ ...confirmationOf(id, randomUUID(), sourceToken), session });
}

const ASKED = { status: 'requires_action' };
const REFUSED = { status: 'declined', declineCode: 'insufficient_funds' };

describe('a charge', () => {
  test.each([
    ['4000002500003155', 'on', 'number', ASKED],
    ['4000002500003155', 'off', 'number', ASKED],
    ['4000002500003155', 'on', 'setup', ASKED],
    ['4000002500003155', 'off', 'setup', { status: 'captured' }],
    ['4000002760003184', 'on', 'setup', ASKED],
    ['4000002760003184', 'off', 'setup', ASKED],
    ['4000008260003178', 'on', 'setup', ASKED],
    ['4000008260003178', 'off', 'setup', REFUSED],
    ['4000008260003178', 'off', 'number', REFUSED],
    ['4242424242424242', 'on', 'number', { status: 'captured' }],
  ] as const)('of %s %s session, saved by its %s, is %o', async (number, session, by, answer) => {
    const token = by === 'setup' ? await setUp(number) : (await sandbox.gateway.tokenizeCard(testCard(number))).token;
    expect(await charge(token, session)).toMatchObject(answer);
  });

  test('of 4000008260003178 is declined after its confirmation', async () => {
    const { token } = await sandbox.gateway.tokenizeCard(testCard('4000008260003178'));
    const { id, action } = await charge(token, 'on');
    expect(await browser().answerChallenge(action?.clientSecret ?? '', 'succeed')).toBe('succeeded');
    expect(await sandbox.gateway.findPayment(id)).toMatchObject(REFUSED);
  });
});

describe('a client secret', () => {
  async function ask() {
    const { token } = await sandbox.gateway.tokenizeCard(testCard('4000002760003184'));
    const asked = await charge(token, 'on');
    return { ...asked, secret: asked.action?.clientSecret ?? '' };
  }

  test('answers once, also of ten answers at once', async () => {
    const { id, secret } = await ask();
    const all = await Promise.all(Array.from({ length: 10 }, () => browser().answerChallenge(secret, 'succeed')));
    expect(all.filter((one) => one === 'succeeded')).toHaveLength(1);
    expect(all.filter((one) => one === 'nothing_to_confirm')).toHaveLength(9);
    const { captures } = await sandbox.control.readLedger();
    expect(captures.filter(({ paymentId }) => paymentId === id)).toHaveLength(1);
  });

  test('that was altered, or is of the other kind, is unknown', async () => {
    const { secret } = await ask();
    const altered = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    expect(await browser().answerChallenge(altered, 'succeed')).toBe('unknown');
    expect(await browser().confirmSetup(secret, { card: typed('4242424242424242') })).toBe('unknown');
  });

  test('is not in the ledger', async () => {
    const { secret } = await ask();
    const files = ['', '-wal'].map((suffix) => readFileSync(`${sandbox.folder.ledgerPath}${suffix}`));
    for (const file of files) expect(file.includes(secret)).toBe(false);
  });
});
