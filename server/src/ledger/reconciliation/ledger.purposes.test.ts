/**
 * Captures from the time that a restored database has lost: `reconcile` says what each was for, and whether its invoice
 * exists.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../../../test/harness/compile-cache.ts';
import { type ChargeService, type Payable, preparePayable, startChargeService } from '../../../test/payments/charge.ts';
import { preparePayPalPayable, startPayPalChargeService } from '../../../test/payments/paypal-charge.ts';
import { startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { confirmationOf, paymentKeys } from '../../gateways/gateway/gateway.testing.ts';

const RANGE = [new Date(Date.now() - 3_600_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString()];

type Subject = { service: ChargeService; prepare: () => Promise<Payable> };

const SUBJECTS: [name: string, start: () => Promise<Subject>][] = [
  [
    'sandbox',
    async () => {
      const service = await startChargeService();
      return { service, prepare: () => preparePayable(service) };
    },
  ],
  [
    'stripe',
    async () => {
      const service = await startStripeChargeService();
      return { service, prepare: () => preparePayable(service) };
    },
  ],
  [
    'paypal',
    async () => {
      const service = await startPayPalChargeService();
      return { service, prepare: () => preparePayPalPayable(service) };
    },
  ],
];

/** Captures money that the books do not know, as after a restore. @returns the gateway's id */
async function captureUnseen(
  { gateway, database }: ChargeService,
  companyId: string,
  changes: object,
): Promise<string> {
  const [source] = await database.owner<{ token: string }[]>`
    SELECT gateway_token AS token FROM cards WHERE company_id = ${companyId}
    UNION SELECT gateway_token FROM paypal_accounts WHERE company_id = ${companyId}`;
  const sourceToken = source?.token ?? '';
  const request = { ...paymentKeys(), amountMinor: 4_800n, currency: 'USD', sourceToken, ...changes };
  const { id } = await gateway.createPayment(request);
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  return id;
}

describe.each(SUBJECTS)('a capture at %s that is not in the books', (name, start) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await start();
  });
  afterAll(() => subject?.service.stop());

  function reconcile(): Promise<{ code: number; stdout: string }> {
    const { url, operatorKey } = subject.service;
    const env = { ...COMPILE_CACHE, PATH: process.env.PATH, PAYDESK_URL: url, OPERATOR_KEY: operatorKey };
    const file = join(import.meta.dirname, '../../../../tools/paydesk.ts');
    return new Promise((resolve) => {
      execFile(process.execPath, [file, 'reconcile', ...RANGE, '--gateway', name], { env }, (error, stdout) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout });
      });
    });
  }

  // Security (Disks, upgrades and restores): Captures whose invoices a restored database lacks are listed with their purpose
  it('is listed by its debt with what it was for and what to do', async () => {
    const { admin, invoice } = await subject.prepare();
    const { companyId } = admin;
    const [lostId, usageId] = [randomUUID(), randomUUID()];
    const orphan = await captureUnseen(subject.service, companyId, {
      debt: `ref:${companyId}:PO.7`,
      details: { invoiceId: lostId, invoiceNumber: 'INV-000001' },
    });
    const ofUsage = await captureUnseen(subject.service, companyId, {
      debt: `usage:${companyId}:2026-01`,
      details: { invoiceId: usageId, invoiceNumber: 'INV-000042' },
    });
    const ofInvoice = await captureUnseen(subject.service, companyId, {
      debt: `ref:${companyId}:${invoice.id}`,
      details: { invoiceId: invoice.id, invoiceNumber: 'INV-000001' },
    });
    const { code, stdout } = await reconcile();
    expect(code).toBe(1);
    const paragraphs = stdout.split('payment: ').slice(1);
    const lineOf = (gatewayId: string) => paragraphs.find((text) => text.includes(gatewayId));
    const company = `company ${companyId}`;
    expect(lineOf(orphan)).toContain('captured at the gateway, and its invoice is not here\n');
    expect(lineOf(orphan)).toMatch(
      new RegExp(
        `  made for   (INV-000001, )?${lostId}, ref:${companyId}:PO.7, ${company}\n` +
          '  to do      see what npm run paydesk -- reconcile --adopt reports; .*, issue the invoice again',
      ),
    );
    expect(lineOf(ofUsage)).toMatch(
      new RegExp(
        `  made for   (INV-000042, )?${usageId}, usage:${companyId}:2026-01, ${company}\n.* billing run of 2026-01`,
      ),
    );
    expect(lineOf(ofInvoice)).toContain('at the gateway, and not here\n');
    expect(lineOf(ofInvoice)).toContain('  to do      nothing: the invoice exists here');
  });

  it('is counted, with its refund, when another installation made it; a copy of the database counts as the same installation', async () => {
    const { admin } = await subject.prepare();
    const capture = (installation: string) => {
      const details = { invoiceId: randomUUID(), invoiceNumber: 'INV-000007', installation };
      return captureUnseen(subject.service, admin.companyId, {
        debt: `ref:${admin.companyId}:${randomUUID()}`,
        details,
      });
    };
    const [{ id: own }] = await subject.service.database.owner<[{ id: string }]>`SELECT id FROM installation`;
    const other = randomUUID();
    const [ofOther, ofCopy] = [await capture(other), await capture(own)];
    const request = { amountMinor: 300n, idempotencyKey: randomUUID(), reference: randomUUID() };
    const details = { installation: other, key: 'key-1' };
    const refund = await subject.service.gateway.refundPayment({ ...request, gatewayPaymentId: ofOther, details });
    const { stdout } = await reconcile();
    expect(stdout).toContain(ofCopy);
    expect(stdout).not.toContain(`  ${ofOther}`);
    // PayPal has no room for it on a refund.
    expect(stdout.includes(`  ${refund.id}`)).toBe(name === 'paypal');
    expect(stdout).toContain(
      `; ${name === 'paypal' ? 1 : 2} of other installations in the same account were left out.\n`,
    );
  });

  it('is reported as foreign when Paydesk did not make it', async () => {
    const { admin } = await subject.prepare();
    const id = await captureUnseen(subject.service, admin.companyId, { reference: 'order-7-of-a-shop', debt: 'shop' });
    const { stdout } = await reconcile();
    const line = stdout.split('payment: ').find((text) => text.includes(id));
    expect(line).toContain('at the gateway, and not here\n');
    expect(line).not.toContain('made for');
  });
});
