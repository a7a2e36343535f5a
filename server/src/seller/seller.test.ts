import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

const PATH = '/operator/seller';
const SELLER = {
  name: 'Northwind Interfaces Ltd',
  addressLines: ['221 Harbour Street', 'Bristol BS1 4XX'],
  taxId: 'GB 987 6543 21',
  email: 'billing@northwind.example',
  footerText: 'Payable within 14 days.\nThank you.',
  legalNote: 'Registered in England',
};

const read = async () => expectStatus(await service.call('GET', PATH, { token: service.operatorKey }), 200).body;
const change = (body: unknown) => service.call('PUT', PATH, { token: service.operatorKey, body });

describe('the seller', () => {
  it('is unset at first', async () => {
    expect(await read()).toEqual({
      name: '',
      addressLines: [],
      taxId: '',
      email: '',
      footerText: '',
      legalNote: '',
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('is written as a whole or field by field; absent fields keep their values', async () => {
    const { body } = expectStatus(await change(SELLER), 200);
    expect(body).toEqual({ ...SELLER, updatedAt: body.updatedAt });
    expect(await read()).toEqual(body);
    for (const [field, value] of Object.entries({ name: 'Southwind', addressLines: ['Bath'], taxId: '', email: '' })) {
      const before = await read();
      const changed = expectStatus(await change({ [field]: value }), 200).body;
      expect(changed).toEqual({ ...before, [field]: value, updatedAt: changed.updatedAt });
    }
  });

  it('has at most six address lines, none of them empty', async () => {
    const before = await read();
    for (const [addressLines, field] of [
      [Array(7).fill('x'), 'addressLines'],
      [['x', ' '], 'addressLines[1]'],
      ['221 Harbour Street', 'addressLines'],
      [['x'.repeat(256)], 'addressLines[0]'],
    ] as const) {
      expect(expectStatus(await change({ addressLines }), 400).body.error.details[0].field).toBe(field);
    }
    expect(await read()).toEqual(before);
    expectStatus(await change({ addressLines: Array(6).fill('x') }), 200);
    expectStatus(await change({ addressLines: [] }), 200);
  });
});
