import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSeller, readSellerSample } from '../../test/billing/invoice-documents.ts';
import { expectStatus } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await changeSeller(service, { name: 'Northwind Interfaces Ltd', taxId: 'GB 987 6543 21', footerText: 'Pay soon.' });
});
afterAll(async () => service?.stop());

const readStored = async () =>
  expectStatus(await service.call('GET', '/operator/seller', { token: service.operatorKey }), 200).body;

describe('POST /operator/seller/preview', () => {
  it('draws a sample invoice with the given fields and the stored ones, and keeps nothing', async () => {
    const before = await readStored();
    const { text, pages } = await readSellerSample(service, { name: 'Southwind Ltd', footerText: 'Pay now.' });
    expect(pages).toHaveLength(1);
    for (const shown of ['SAMPLE', 'Southwind Ltd', 'GB 987 6543 21', 'Pay now.', '$57.60'])
      expect(text).toContain(shown);
    for (const replaced of ['Northwind', 'Pay soon.']) expect(text).not.toContain(replaced);
    expect(await readStored()).toEqual(before);
    expect(await service.database.owner`SELECT FROM invoices`).toEqual([]);
  });
});
