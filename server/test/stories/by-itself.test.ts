import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStory, type Story } from './story.ts';

const FILES = '/v1/files';

let story: Story;
beforeAll(async () => {
  story = await beginStory('2026-01-05');
});
afterAll(async () => story?.end());

describe('billing by the schedule', () => {
  /** Hikari's January ends at 15:00 UTC on the 31st, Hudson's at 05:00 UTC on the first. Hudson's gateways have a day to report. */
  it('bills each company after its own month and grace time', async () => {
    const { operator } = story;
    await operator.prices(FILES, '2025-12-31T15:00Z', {
      title: 'Files',
      currency: 'USD',
      model: 'flat',
      unitAmount: '0.10',
    });
    const hikari = await story.signsUp('Hikari KK', { timezone: 'Asia/Tokyo', invoiceGraceHours: 0 });
    const hudson = await story.signsUp('Hudson Inc', { timezone: 'America/New_York', invoiceGraceHours: 24 });
    await hikari.uses(FILES, 100, '2026-01-20');
    await hudson.uses(FILES, 100, '2026-01-20');

    await story.goesBy('2026-01-31T14:59:59.999Z');
    expect([await hikari.numbers(), await hudson.numbers()]).toEqual([[], []]);
    await story.goesBy('2026-01-31T15:00Z');
    expect([await hikari.numbers(), await hudson.numbers()]).toEqual([['INV-000001'], []]);

    story.on('2026-02-01T18:00Z');
    await hikari.uses(FILES, 7, '2026-01-31T14:00Z');
    await hudson.uses(FILES, 7, '2026-01-31T14:00Z');
    await story.goesBy('2026-02-02T04:59:59.999Z');
    expect(await hudson.numbers()).toEqual([]);
    await story.goesBy('2026-02-02T05:00Z');
    await hikari.isInvoiced(`
      INV-000001  2025-12-31T15:00Z  2026-01-31T15:00Z  USD
      Files       /v1/files            100      10.00   = 100 × 0.10
      subtotal                                  10.00
      tax 0 %                                    0.00
      total                                     10.00
    `);
    await hudson.isInvoiced(`
      INV-000002  2026-01-01T05:00Z  2026-02-01T05:00Z  USD
      Files       /v1/files            107      10.70   = 107 × 0.10
      subtotal                                  10.70
      tax 0 %                                    0.00
      total                                     10.70
    `);

    await story.goesBy('2026-03-10');
    await hikari.isInvoiced(`
      INV-000003                      2026-01-31T15:00Z  2026-02-28T15:00Z  USD
      Files (late usage of 2026-01)   /v1/files              7      0.70    = 7 × 0.10
      subtotal                                                      0.70
      tax 0 %                                                       0.00
      total                                                         0.70
    `);
    expect(await hudson.numbers()).toEqual(['INV-000002']);
  });
});
