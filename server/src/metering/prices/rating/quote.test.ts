import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPriceBody } from '../../../../test/billing/prices.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { addDecimals, compareDecimals, toDecimal } from '../../../platform/money/decimal.ts';
import { quoteLines } from './quote.ts';
import { type Rates, ratePrice } from './rating.ts';

const tier = (upTo: bigint | null, unitAmount: string, flatAmount = '0') => ({
  ...{ upTo, unitAmount: toDecimal(unitAmount), flatAmount: toDecimal(flatAmount) },
});
const TIERS = [tier(10n, '0.5'), tier(1_000n, '0.015', '3'), tier(null, '0.0007', '1.25')];
const RATES: Rates[] = [
  { model: 'flat', unitAmount: toDecimal('0.0033') },
  { model: 'package', packageAmount: toDecimal('2.50'), packageSize: 100n },
  { model: 'graduated', tiers: TIERS },
  { model: 'volume', tiers: TIERS },
];

it.each(RATES)('the lines of a $model price add up to what it rates', (rates) => {
  for (const freeRequests of [0n, 7n]) {
    for (const requests of [0n, 1n, 7n, 8n, 17n, 18n, 100n, 101n, 1_007n, 1_008n, 12_345n]) {
      const lines = quoteLines({ rates, freeRequests }, requests);
      const sum = lines.map(({ amount }) => amount).reduce(addDecimals, toDecimal('0'));
      expect(compareDecimals(sum, ratePrice({ rates, freeRequests }, requests))).toBe(0);
    }
  }
});

describe('GET /operator/prices/quote', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service?.stop());

  const quote = async (query: object) => {
    const path = `/operator/prices/quote?${new URLSearchParams({ currency: 'USD', ...query })}`;
    return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  };

  const create = async (changes: object) => {
    const body = flatPriceBody(changes);
    return expectStatus(await service.call('POST', '/operator/prices', { token: service.operatorKey, body }), 201).body;
  };

  it('says what requests cost, by the price that applies to the company at that time', async () => {
    const { companyId } = await signUpAdmin(service);
    const common = { model: 'flat', path: '/v1/*', currency: 'USD', freeRequests: 345 };
    const general = await create({ ...common, unitAmount: '0.002', effectiveFrom: '2020-01-01T00:00:00Z' });
    const own = await create({
      ...common,
      companyId,
      unitAmount: '0.001',
      effectiveFrom: '2030-01-01T00:00:00Z',
    });
    const asked = { path: '/v1/transcriptions', quantity: '12345' };
    const ofGeneral = {
      amount: '24.00',
      currency: 'USD',
      priceId: general.id,
      lines: [
        { quantity: '345', unitAmount: '0', amount: '0' },
        { quantity: '12000', unitAmount: '0.002', amount: '24.000' },
      ],
    };
    expect(await quote({ ...asked, at: '2025-01-01' })).toEqual(ofGeneral);
    expect(await quote({ ...asked, companyId, at: '2025-01-01' })).toEqual(ofGeneral);
    expect(await quote({ ...asked, companyId, at: '2031-01-01' })).toMatchObject({ amount: '12.00', priceId: own.id });
    expect(await quote({ ...asked, at: '2031-01-01' })).toMatchObject({ amount: '24.00', priceId: general.id });
    const nothing = { amount: '0.00', currency: 'USD', priceId: null, lines: [] };
    expect(await quote({ ...asked, at: '2019-12-31' })).toEqual(nothing);
    expect(await quote({ ...asked, path: '/v2' })).toEqual(nothing);
  });
});
