import { afterAll, beforeAll, describe, it } from 'vitest';
import { beginStory, type Story } from './story.ts';

const SPEECH = '/v1/transcriptions';
const IMAGES = '/v1/images';

let story: Story;
beforeAll(async () => {
  story = await beginStory('2024-01-05');
});
afterAll(async () => story?.end());

describe('Sakura in Tokyo', () => {
  /** A package that is started is charged in full. The 101st image makes all images of the month cheaper. */
  it('pays whole yen, with consumption tax rounded to the nearest yen', async () => {
    const { operator } = story;
    await operator.prices(SPEECH, '2023-12-31T15:00Z', {
      title: 'Speech to text',
      currency: 'JPY',
      model: 'package',
      packageAmount: '120',
      packageSize: 1_000,
    });
    await operator.prices(IMAGES, '2023-12-31T15:00Z', {
      title: 'Images',
      currency: 'JPY',
      model: 'volume',
      tiers: [
        { upTo: 100, unitAmount: '5.5' },
        { upTo: null, unitAmount: '4.25' },
      ],
    });
    story.on('2024-01-05');
    const sakura = await story.signsUp('Sakura KK', { currency: 'JPY', timezone: 'Asia/Tokyo', taxRate: '10' });

    await sakura.uses(SPEECH, 1_000, '2024-01-10');
    await sakura.uses(IMAGES, 100, '2024-01-31T14:59:59.999Z');
    await sakura.uses(IMAGES, 101, '2024-01-31T15:00Z');
    await operator.bills('2024-01');
    await sakura.isInvoiced(`
      INV-000001      2023-12-31T15:00Z  2024-01-31T15:00Z  JPY
      Images          /v1/images             100    550.00  = 100 × 5.5
      Speech to text  /v1/transcriptions    1000    120.00  = 1 × 120
      subtotal                                      670.00
      tax 10 %                                       67.00
      total                                         737.00
    `);

    await sakura.uses(SPEECH, 1_001, '2024-02-10');
    await operator.bills('2024-02');
    await sakura.isInvoiced(`
      INV-000002      2024-01-31T15:00Z  2024-02-29T15:00Z  JPY
      Images          /v1/images             101    429.00  = 101 × 4.25
      Speech to text  /v1/transcriptions    1001    240.00  = 2 × 120
      subtotal                                      669.00
      tax 10 %                                       67.00
      total                                         736.00
    `);

    await sakura.uses(SPEECH, 2_001, '2024-03-10');
    await sakura.uses(IMAGES, 10, '2024-03-11');
    await operator.bills('2024-03');
    await sakura.isInvoiced(`
      INV-000003      2024-02-29T15:00Z  2024-03-31T15:00Z  JPY
      Images          /v1/images              10     55.00  = 10 × 5.5
      Speech to text  /v1/transcriptions    2001    360.00  = 3 × 120
      subtotal                                      415.00
      tax 10 %                                       42.00
      total                                         457.00
    `);
    await sakura.pays('INV-000003', { card: '457.00', credit: '0.00', creditLeft: '0.00' });

    await sakura.uses(IMAGES, 95, '2024-03-31T14:00Z');
    await sakura.uses(SPEECH, 4_000, '2024-04-10');
    await operator.bills('2024-04');
    await sakura.isInvoiced(`
      INV-000004                      2024-03-31T15:00Z   2024-04-30T15:00Z  JPY
      Images (late usage of 2024-03)  /v1/images                 95  391.00  = 446.00 - 55.00
      Speech to text                  /v1/transcriptions       4000  480.00  = 4 × 120
      subtotal                                                       871.00
      tax 10 %                                                        87.00
      total                                                          958.00
    `);
  });
});

describe('Al-Bahr in Kuwait', () => {
  /** The free quantity is subtracted before packages and tiers are counted. */
  it('pays in thousandths of a dinar', async () => {
    const { operator } = story;
    await operator.prices(SPEECH, '2024-12-31T21:00Z', {
      title: 'Speech to text',
      currency: 'KWD',
      model: 'package',
      packageAmount: '0.750',
      packageSize: 100,
      freeRequests: 50,
    });
    await operator.prices(IMAGES, '2024-12-31T21:00Z', {
      title: 'Images',
      currency: 'KWD',
      model: 'volume',
      tiers: [
        { upTo: 1_000, unitAmount: '0.0025' },
        { upTo: null, unitAmount: '0.0015', flatAmount: '0.500' },
      ],
    });
    story.on('2025-01-05');
    const bahr = await story.signsUp('Al-Bahr', { currency: 'KWD', timezone: 'Asia/Kuwait', taxRate: '5' });

    await bahr.uses(SPEECH, 150, '2025-01-10');
    await bahr.uses(IMAGES, 1_000, '2025-01-31T20:59:59.999Z');
    await bahr.uses(IMAGES, 1_001, '2025-01-31T21:00Z');
    await operator.bills('2025-01');
    await bahr.isInvoiced(`
      INV-000005      2024-12-31T21:00Z  2025-01-31T21:00Z  KWD
      Images          /v1/images            1000     2.500  = 1000 × 0.0025
      Speech to text  /v1/transcriptions     150     0.750  = 1 × 0.750
      subtotal                                       3.250
      tax 5 %                                        0.163
      total                                          3.413
    `);

    await bahr.uses(SPEECH, 151, '2025-02-10');
    await operator.bills('2025-02');
    await bahr.isInvoiced(`
      INV-000006      2025-01-31T21:00Z  2025-02-28T21:00Z  KWD
      Images          /v1/images            1001     2.002  = 1001 × 0.0015 + 0.500
      Speech to text  /v1/transcriptions     151     1.500  = 2 × 0.750
      subtotal                                       3.502
      tax 5 %                                        0.175
      total                                          3.677
    `);

    await bahr.uses(SPEECH, 50, '2025-03-10');
    await operator.bills('2025-03');
    await bahr.isInvoiced(`
      INV-000007      2025-02-28T21:00Z  2025-03-31T21:00Z  KWD
      Speech to text  /v1/transcriptions      50     0.000  = 0 × 0.750
      subtotal                                       0.000
      tax 5 %                                        0.000
      total                                          0.000
    `);
  });
});
