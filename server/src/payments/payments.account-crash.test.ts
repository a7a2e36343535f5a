import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../test/database.ts';
import { prepareAccountPayable } from '../../test/paypal-accounts.ts';
import { endProcesses, eventually, startPaydesk } from '../../test/process.ts';

const PATIENCE_MS = 120_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await endProcesses();
  await database.drop();
}, PATIENCE_MS);

it.each([['after_confirm', 'sending']])(
  'kill -9 at %s while a PayPal account is charged: the same key gets the outcome after the restart, and one capture',
  async (failpoint, state) => {
    const victim = await startPaydesk({ DATABASE_URL: database.url, FAILPOINTS: failpoint });
    const { service: before, dataDirectory } = victim;
    const { admin, invoice, accountId, pay } = await prepareAccountPayable(before);
    const headers = { 'idempotency-key': 'a key' };
    await expect(pay({ headers })).rejects.toThrow();
    await victim.ended;

    const { service } = await startPaydesk({
      DATABASE_URL: database.url,
      DATA_DIR: dataDirectory,
      OPERATOR_KEY: before.operatorKey,
    });
    const books = database.owner;
    const { token } = admin;
    expect([...(await books`SELECT state FROM payments`)]).toEqual([{ state }]);
    await books`UPDATE payments SET reconcile_at = now() WHERE reconcile_at IS NOT NULL`;
    const retried = await eventually(async () => {
      const answer = await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token, headers });
      return [202, 409].includes(answer.status) ? null : answer;
    });
    expect(retried).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    const { attempts } = (await service.call('GET', `/payments/orders/${invoice.id}`, { token })).body;
    expect(attempts).toMatchObject([{ status: 'Succeeded', paypalAccount: { id: accountId } }]);
    const ledger = new DatabaseSync(join(dataDirectory, 'sandbox-gateway.db'), { readOnly: true });
    expect(ledger.prepare('SELECT amount_minor FROM captures').all()).toMatchObject([{ amount_minor: 4_800 }]);
    ledger.close();
  },
  PATIENCE_MS,
);
