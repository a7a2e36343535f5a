import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStory, type Story } from './story.ts';

let story: Story;
beforeAll(async () => {
  story = await beginStory('2026-01-05');
});
afterAll(async () => story?.end());

describe('a path without a price', () => {
  /** A price may begin at the end of the billed month, but no earlier. January stays free, late usage included. */
  it('is a line of zero and is reported with the run until it has a price', async () => {
    const { operator } = story;
    const cirrus = await story.signsUp('Cirrus Ltd');
    const stratus = await story.signsUp('Stratus Ltd');
    await cirrus.uses('/v2/summaries', 500, '2026-01-20');
    await stratus.uses('/v2/summaries', 20, '2026-01-20');
    const january = await operator.bills('2026-01');
    expect(january).toMatchObject({ status: 'done', invoices: 2 });
    expect(january.unpricedPaths).toEqual([{ path: '/v2/summaries', companies: 2 }]);
    await cirrus.isInvoiced(`
      ${await cirrus.lastNumber()}     2026-01-01T00:00Z  2026-02-01T00:00Z  USD
      /v2/summaries  /v2/summaries         500       0.00
      subtotal                                       0.00
      tax 0 %                                        0.00
      total                                          0.00
    `);

    const price = { title: 'Second generation', currency: 'USD', model: 'flat', unitAmount: '0.02' };
    await expect(operator.prices('/v2/*', '2026-01-01T00:00Z', price)).rejects.toThrow('period_billed');
    await operator.prices('/v2/*', '2026-02-01T00:00Z', price);
    await cirrus.uses('/v2/summaries', 10, '2026-01-31T23:59:59.999Z');
    await cirrus.uses('/v2/summaries', 400, '2026-02-01T00:00Z');
    const february = await operator.bills('2026-02');
    expect(february.unpricedPaths).toEqual([{ path: '/v2/summaries', companies: 1 }]);
    await cirrus.isInvoiced(`
      ${await cirrus.lastNumber()}                             2026-02-01T00:00Z  2026-03-01T00:00Z  USD
      /v2/summaries (late usage of 2026-01)  /v2/summaries              10   0.00
      Second generation                      /v2/summaries             400   8.00  = 400 × 0.02
      subtotal                                                               8.00
      tax 0 %                                                                0.00
      total                                                                  8.00
    `);
    await cirrus.uses('/v2/summaries', 100, '2026-03-20');
    expect((await operator.bills('2026-03')).unpricedPaths).toEqual([]);
    expect(await stratus.numbers()).toHaveLength(1);
  });
});
