import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { transaction } from '../../platform/database/database.ts';
import { nextPrefix } from './new-series.ts';
import { beginNewSeries } from './numbering.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const setPrefixes = async (invoicePrefix: string, creditNotePrefix: string) => {
  const body = { invoicePrefix, creditNotePrefix };
  expect((await service.call('PUT', '/operator/numbering', { token: service.operatorKey, body })).status).toBe(200);
};
const begin = () => transaction(service.database.db, beginNewSeries);

describe('the prefix of a new series', () => {
  it.each([
    ['INV-', 'INV-B-'],
    ['INV-B-', 'INV-C-'],
    ['INV-Y-', 'INV-Z-'],
    ['INV-Z-', 'INV-Z-B-'],
    ['RE.', 'RE.B.'],
    ['A_', 'A_B_'],
    ['INV-2026-', 'INV-2026-B-'],
    ['INV.B-', 'INV.B-B-'],
    ['A--', 'A--B-'],
    ['X-AB-', 'X-AB-B-'],
  ])('%s → %s', (prefix, next) => expect(nextPrefix(prefix)).toBe(next));

  it('is shown, and can be changed', async () => {
    await setPrefixes('INV-', 'CN-');
    expect(await begin()).toEqual({ invoicePrefix: 'INV-B-', creditNotePrefix: 'CN-B-' });
    const { body } = await service.call('GET', '/operator/numbering', { token: service.operatorKey });
    expect(body).toMatchObject({
      ...{ invoicePrefix: 'INV-B-', creditNotePrefix: 'CN-B-' },
      ...{ nextInvoiceNumber: 'INV-B-000001', nextCreditNoteNumber: 'CN-B-000001' },
    });
    await setPrefixes('RE-', 'GS-');
    expect(await begin()).toEqual({ invoicePrefix: 'RE-B-', creditNotePrefix: 'GS-B-' });
  });

  it('is one with which no series begins, also of a year or a company, and another one for each document', async () => {
    await service.database.owner`INSERT INTO number_series VALUES ('YR-B-2026-', 3), ('YR-C-ACME-', 1)`;
    await setPrefixes('YR-', 'YR-C-');
    expect(await begin()).toEqual({ invoicePrefix: 'YR-D-', creditNotePrefix: 'YR-E-' });
    await service.database.owner`DELETE FROM number_series WHERE prefix LIKE 'YR-%'`;
  });
});
