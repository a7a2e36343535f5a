import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectGatewayError } from '../../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys } from '../../gateway/gateway.testing.ts';
import type { Gateway, VaultedAccount } from '../../gateway/gateway.ts';
import { createTestFolder, spawnGateway, startTestGateway, type TestGateway } from '../sandbox.testing.ts';

let sandbox: TestGateway;
beforeAll(async () => {
  sandbox = await startTestGateway();
});
afterEach(() => sandbox.control.clearFaults());
afterAll(() => sandbox.close());

const holder = { companyId: randomUUID(), customer: null };

async function vault(setupToken: string, gateway: Gateway = sandbox.gateway): Promise<VaultedAccount> {
  if (gateway.vaultAccount === undefined) throw new Error('The gateway holds no accounts.');
  return gateway.vaultAccount({ setupToken, holder });
}

/** Charges 19.99 USD. */
async function charge(sourceToken: string) {
  const keys = paymentKeys();
  const { id } = await sandbox.gateway.createPayment({ ...keys, amountMinor: 1_999n, currency: 'USD', sourceToken });
  return sandbox.gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
}

describe('a setup token', () => {
  test('is exchanged for one account, however often and by however many simultaneous requests', async () => {
    const setupToken = randomUUID();
    const accounts = await Promise.all(Array.from({ length: 10 }, () => vault(setupToken)));
    expect(new Set(accounts.map(({ token }) => token)).size).toBe(1);
    expect(await vault(setupToken)).toEqual(accounts[0]);
    const other = await vault(randomUUID());
    expect([other.token, other.email]).not.toContain(accounts[0]?.token);
    expect(other.email).not.toBe(accounts[0]?.email);
  });

  test('is in no book and no log', async () => {
    const setupToken = randomUUID();
    const account = await vault(setupToken);
    expect(JSON.stringify(account)).not.toContain(setupToken);
    expect(JSON.stringify(await sandbox.control.readLedger(), (_key, value) => String(value))).not.toContain(
      setupToken,
    );
    expect(JSON.stringify(sandbox.logged)).not.toContain(setupToken);
  });

  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])('%o is rejected', async (setupToken) => {
    await expectGatewayError(vault(setupToken), 'rejected');
  });

  test.each([
    ['answer_lost_after_effect', 'outcome_unknown'],
    ['wrong_shape_answer', 'outcome_unknown'],
    ['unparsable_answer', 'outcome_unknown'],
    ['rate_limited', 'rate_limited'],
    ['unauthorized', 'unauthorized'],
  ] as const)('whose exchange meets %s is %s, and can be used again afterwards', async (kind, expected) => {
    const setupToken = randomUUID();
    await sandbox.control.armFault({ operation: 'tokenize', kind });
    await expectGatewayError(vault(setupToken), expected);
    await expect(vault(setupToken)).resolves.toHaveProperty('email');
    const { faults } = await sandbox.control.readFaults();
    expect(faults).toMatchObject([{ kind, hits: 1 }]);
  });
});

describe('an account', () => {
  test('that was detached is chargeable again once its setup token is exchanged again', async () => {
    const setupToken = randomUUID();
    const { token } = await vault(setupToken);
    await sandbox.gateway.detachSource?.(token);
    await expectGatewayError(charge(token), 'rejected');
    expect(await vault(setupToken)).toMatchObject({ token });
    expect(await charge(token)).toMatchObject({ status: 'captured' });
  });

  test('is charged and refunded as a card is', async () => {
    const { token } = await vault(randomUUID());
    const captured = await charge(token);
    expect(captured).toMatchObject({ status: 'captured', capturedAmountMinor: 1_999n, capturedCurrency: 'USD' });
    const refund = { gatewayPaymentId: captured.id, amountMinor: 999n, reference: 'r', idempotencyKey: randomUUID() };
    expect(await sandbox.gateway.refundPayment(refund)).toMatchObject({ amountMinor: 999n });
  });

  test.each([
    ['sandbox-setup-declined', 'instrument_declined'],
    ['sandbox-setup-declined-17', 'instrument_declined'],
    ['sandbox-setup-closed', 'payer_account_locked_or_closed'],
  ])('of %s is declined when it is charged: %s', async (setupToken, declineCode) => {
    const { token } = await vault(setupToken);
    expect(await charge(token)).toMatchObject({ status: 'declined', declineCode });
  });

  test('that does not exist is rejected', async () => {
    await expectGatewayError(charge('account_unknown'), 'rejected');
  });

  test('survives kill -9 of the gateway, with its setup token', async () => {
    const folder = createTestFolder();
    const first = await spawnGateway(folder);
    const setupToken = randomUUID();
    const account = await vault(setupToken, first.gateway);
    await first.stop('SIGKILL');
    const second = await spawnGateway(folder);
    expect(await vault(setupToken, second.gateway)).toEqual(account);
    await second.stop('SIGTERM');
    folder.remove();
  });
});
