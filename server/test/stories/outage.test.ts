import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportUsage } from '../billing/usage.ts';
import { beginStory, eventOf, type Story } from './story.ts';

const SPEECH = '/v1/transcriptions';

let story: Story;
beforeAll(async () => {
  story = await beginStory('2026-01-05');
});
afterAll(async () => story?.end());

describe('an outage at the end of the month', () => {
  /** 288 events of 10 requests each, one every five minutes of 31 January. A gateway sends them again until each is answered. */
  it('loses nothing and counts nothing twice: the senders repeat the whole day', async () => {
    const { service, operator } = story;
    await operator.prices(SPEECH, '2026-01-01T00:00Z', {
      title: 'Speech to text',
      currency: 'USD',
      model: 'flat',
      unitAmount: '0.01',
    });
    const nimbus = await story.signsUp('Nimbus Ltd');
    const day = Array.from({ length: 288 }, (_, index) => {
      const minutes = new Date(Date.UTC(2026, 0, 31, 0, 5 * index));
      return eventOf(nimbus.companyId, [SPEECH, 10, minutes.toISOString()]);
    });
    story.on('2026-01-31T12:00Z');
    expect(await reportUsage(service, day.slice(0, 144))).toMatchObject({ accepted: 144 });

    await service.takeAway();
    story.on('2026-01-31T23:55Z');
    await expect(reportUsage(service, day.slice(144))).rejects.toThrow();
    story.on('2026-02-01T09:00Z');
    await service.bringBack();

    const hours = Array.from({ length: 24 }, (_, hour) => day.slice(hour * 12, hour * 12 + 12));
    const senders = await Promise.all([...hours, ...hours].map((events) => reportUsage(service, events)));
    const counted = (field: 'accepted' | 'duplicate') => senders.reduce((sum, answer) => sum + answer[field], 0);
    expect([counted('accepted'), counted('duplicate')]).toEqual([144, 144 + 288]);

    await nimbus.uses(SPEECH, 10, '2026-02-01T00:00Z');
    await operator.bills('2026-01');
    expect(await reportUsage(service, day)).toMatchObject({ accepted: 0, duplicate: 288 });
    await nimbus.isInvoiced(`
      INV-000001      2026-01-01T00:00Z  2026-02-01T00:00Z  USD
      Speech to text  /v1/transcriptions    2880     28.80  = 2880 × 0.01
      subtotal                                       28.80
      tax 0 %                                         0.00
      total                                          28.80
    `);
    await operator.bills('2026-02');
    await nimbus.isInvoiced(`
      INV-000002      2026-02-01T00:00Z  2026-03-01T00:00Z  USD
      Speech to text  /v1/transcriptions      10      0.10  = 10 × 0.01
      subtotal                                        0.10
      tax 0 %                                         0.00
      total                                           0.10
    `);
  });
});
