import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStory, type Company, type Story } from './story.ts';

const FILES = '/v1/files';
const accepted = { status: 'accepted', reason: null };

let story: Story;
beforeAll(async () => {
  story = await beginStory('2026-01-05');
  await story.operator.prices(FILES, '2026-01-01T00:00Z', {
    title: 'Files',
    currency: 'USD',
    model: 'flat',
    unitAmount: '0.10',
  });
});
afterAll(async () => story?.end());

const january = (number: string) => `
  ${number}  2026-01-01T00:00Z  2026-02-01T00:00Z  USD
  Files       /v1/files            100      10.00  = 100 × 0.10
  subtotal                                  10.00
  tax 0 %                                    0.00
  total                                     10.00
`;
const february = (number: string) => `
  ${number}  2026-02-01T00:00Z  2026-03-01T00:00Z  USD
  Files       /v1/files            200      20.00  = 200 × 0.10
  subtotal                                  20.00
  tax 0 %                                    0.00
  total                                     20.00
`;
const februaryWithLate = (number: string, requests: number, amount: string, subTotal: string) => `
  ${number}                      2026-02-01T00:00Z  2026-03-01T00:00Z  USD
  Files (late usage of 2026-01)  /v1/files    ${requests}   ${amount}  = ${requests} × 0.10
  Files                          /v1/files            200      20.00  = 200 × 0.10
  subtotal                                            ${subTotal}
  tax 0 %                                                       0.00
  total                                               ${subTotal}
`;

describe('three companies report January late', () => {
  it('bills the first for it in February, the second never, and refuses usage of the third after ten days', async () => {
    const next = await story.signsUp('Next Ltd');
    const ignore = await story.signsUp('Ignore Ltd', { lateUsage: { kind: 'ignore' } });
    const refuse = await story.signsUp('Refuse Ltd', { lateUsage: { kind: 'refuse', days: 10 } });
    const all = [next, ignore, refuse];
    const allUse = (quantity: number, instant: string) =>
      inTurn(all, (company) => company.uses(FILES, quantity, instant));

    await allUse(100, '2026-01-20');
    await story.operator.bills('2026-01');
    for (const company of all) await company.isInvoiced(january(await company.lastNumber()));

    story.on('2026-02-05');
    expect(await allUse(7, '2026-01-31T23:59:59.999Z')).toMatchObject([accepted, accepted, accepted]);
    story.on('2026-02-10T23:59:59.999Z');
    expect(await allUse(5, '2026-01-30')).toMatchObject([accepted, accepted, accepted]);
    story.on('2026-02-11T00:00:00.001Z');
    const rejected = { status: 'rejected', reason: 'too_late' };
    expect(await allUse(30, '2026-01-30')).toMatchObject([accepted, accepted, rejected]);

    await allUse(200, '2026-02-20');
    await story.operator.bills('2026-02');
    await next.isInvoiced(februaryWithLate(await next.lastNumber(), 42, '4.20', '24.20'));
    await ignore.isInvoiced(february(await ignore.lastNumber()));
    await refuse.isInvoiced(februaryWithLate(await refuse.lastNumber(), 12, '1.20', '21.20'));

    const used = await inTurn(all, (company) => company.usageOf(FILES, '2026-01-01', '2026-03-01'));
    expect(used).toEqual([342, 342, 312]);
  });
});

describe('late usage makes January cheaper', () => {
  const use = '/v1/images';
  let own: Story;
  beforeAll(async () => {
    own = await beginStory('2026-01-05');
  });
  afterAll(async () => own?.end());

  /**
   * 101 images cost 50.50, half of what 100 cost. February costs less than the difference, so the rest of the difference becomes credit.
   */
  it('and what February does not use of the difference becomes credit, with its tax', async () => {
    const { operator } = own;
    await operator.prices(use, '2026-01-01T00:00Z', {
      title: 'Images',
      currency: 'USD',
      model: 'volume',
      tiers: [
        { upTo: 100, unitAmount: '1.00' },
        { upTo: null, unitAmount: '0.50' },
      ],
    });
    const camera = await own.signsUp('Camera Ltd', { taxRate: '20' });
    await camera.uses(use, 100, '2026-01-20');
    await operator.bills('2026-01');
    await camera.isInvoiced(`
      INV-000001  2026-01-01T00:00Z  2026-02-01T00:00Z  USD
      Images      /v1/images           100     100.00   = 100 × 1.00
      subtotal                                 100.00
      tax 20 %                                  20.00
      total                                    120.00
    `);
    await camera.pays('INV-000001', { card: '120.00', credit: '0.00', creditLeft: '0.00' });

    await camera.uses(use, 1, '2026-01-31');
    await camera.uses(use, 20, '2026-02-20');
    await operator.bills('2026-02');
    await camera.isInvoiced(`
      INV-000002                      2026-02-01T00:00Z  2026-03-01T00:00Z  USD
      Images (late usage of 2026-01)  /v1/images             1    -49.50    = 101 × 0.50 - 100.00
      Images                          /v1/images            20     20.00    = 20 × 1.00
      Carried over to your credit     /                      0     29.50    = 49.50 - 20.00
      subtotal                                                      0.00
      tax 20 %                                                      0.00
      total                                                         0.00
    `);
    await camera.pays('INV-000002', { card: '0.00', credit: '0.00', creditLeft: '35.40' });
    expect((await operator.recomputes(camera, 'INV-000002')).body).toMatchObject({ matches: true, differences: [] });

    await camera.uses(use, 40, '2026-03-20');
    await operator.bills('2026-03');
    await camera.isInvoiced(`
      INV-000003  2026-03-01T00:00Z  2026-04-01T00:00Z  USD
      Images      /v1/images            40      40.00   = 40 × 1.00
      subtotal                                  40.00
      tax 20 %                                   8.00
      total                                     48.00
    `);
    await camera.pays('INV-000003', { card: '12.60', credit: '35.40', creditLeft: '0.00' });
  });
});

async function inTurn<Result>(companies: Company[], act: (company: Company) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const company of companies) results.push(await act(company));
  return results;
}
