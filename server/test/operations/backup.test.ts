import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openLedger, readLedger } from '../../src/gateways/sandbox/bank/ledger.ts';
import { type Actor, expectStatus, issueInvoice, PASSWORD, saveCard, signUpAdmin } from '../customers/actors.ts';
import { connectToEmbedded, endProcesses, makeDataDirectory, startPaydesk } from '../harness/process.ts';
import type { TestService } from '../harness/service.ts';
import { findViolations } from '../invariants/invariants.ts';

afterAll(endProcesses);

const pay = (service: TestService, { token }: Actor, id: string) =>
  service.call('PUT', `/payments/orders/${id}/pay`, { token });

/** Returns the differences between the books of a data directory and the gateway. */
async function violationsIn(dataDirectory: string): Promise<string[]> {
  const owner = connectToEmbedded(dataDirectory);
  const ledger = await openLedger(join(dataDirectory, 'sandbox-gateway.db'));
  const found = await findViolations(owner, readLedger(ledger));
  ledger.close();
  await owner.end();
  return found;
}

// Security (Disks, upgrades and restores): A copy of the data directory in another place has everything, agrees with the gateway, and pays
it('a copy of the data directory at another path has everything, agrees with the gateway and can pay', async () => {
  const first = await startPaydesk();
  const admin = await signUpAdmin(first.service);
  await saveCard(first.service, admin);
  const invoices = [
    await issueInvoice(first.service, admin.companyId),
    await issueInvoice(first.service, admin.companyId),
  ];
  const [paidId = '', openId = ''] = invoices.map(({ id }) => id);
  const paid = expectStatus(await pay(first.service, admin, paidId), 200).body;
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });

  // As docs/restore.md says. A copy by root keeps the owner of PostgreSQL's files.
  const copy = makeDataDirectory();
  execFileSync('cp', ['-a', first.dataDirectory, copy]);
  rmSync(first.dataDirectory, { recursive: true });

  const { service } = await startPaydesk({ DATA_DIR: copy });
  expectStatus(await service.call('POST', '/auth/local', { body: { email: admin.email, password: PASSWORD } }), 200);
  const { data } = expectStatus(await service.call('GET', '/payments/orders', { token: admin.token }), 200).body;
  const stateOf = (id: string) => data.find((invoice: { id: string }) => invoice.id === id);
  expect(stateOf(paidId)).toMatchObject({ status: 'Succeeded', paymentId: paid.paymentId });
  expect(stateOf(openId)).toMatchObject({ status: 'Processing', paymentId: null });

  expect(expectStatus(await pay(service, admin, paidId), 200).body).toEqual(paid);
  expect(expectStatus(await pay(service, admin, openId), 200).body.status).toBe('Succeeded');
  expect(await violationsIn(copy)).toEqual([]);
});
