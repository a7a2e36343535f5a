import { afterAll, beforeAll, expect, it } from 'vitest';
import { invoicesOf, setBilling, setPrice, use } from '../billing/billing.ts';
import { signUpAdmin } from '../customers/actors.ts';
import { endProcesses, eventually, startPaydesk } from '../harness/process.ts';
import { type ChargeService, chargeEnvironment, startChargeService } from '../payments/charge.ts';

/** Accepts usage, without background work. */
let before: ChargeService;
beforeAll(async () => {
  before = await startChargeService();
});
afterAll(async () => {
  await endProcesses();
  await before?.stop();
});

it('a service bills after its start what became due while it was stopped', async () => {
  const now = new Date();
  const monthBeforeLast = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15)).toISOString();
  const admin = await signUpAdmin(before);
  await setBilling(before, admin, { invoiceGraceHours: 0 });
  await setPrice(before, { path: '/call', unitAmount: '1.00' });
  await use(before, admin, '/call', 5, monthBeforeLast);

  const paydesk = await startPaydesk(chargeEnvironment(before));
  const invoices = await eventually(async () => {
    const made = await invoicesOf(paydesk.service, admin);
    return made.length > 0 && made;
  });
  expect(invoices).toMatchObject([{ number: 'INV-000001', total: '5.00' }]);
  expect(await paydesk.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const troubles = paydesk.logged().filter(({ level }) => Number(level) >= 40);
  expect(troubles).toMatchObject([{ msg: expect.stringMatching(/^JOURNAL_DIR is not set/) }]);
});
