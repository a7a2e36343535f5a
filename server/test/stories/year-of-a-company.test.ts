import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStory, type Company, type Story } from './story.ts';

/** Acme GmbH is in Berlin: its months begin at 23:00 UTC in winter and at 22:00 in summer. It pays by card and with credit. */
const SPEECH = '/v1/transcriptions';
const TRANSLATION = '/v1/translations';

let story: Story;
beforeAll(async () => {
  story = await beginStory('2026-01-07');
});
afterAll(async () => story?.end());

describe('a year of Acme', () => {
  it('is twelve months without a gap, each paid to the cent', async () => {
    const acme = await signsUpInJanuary();
    await februaryRoundsHalfACentUp(acme);
    await clocksGoForwardInMarch(acme);
    await pricesHaveTiersFromApril(acme);
    await aprilComesLateInMay(acme);
    await creditIsGrantedInJune(acme);
    await julyIsWrong(acme);
    await creditNoteInAugust(acme);
    await clocksGoBackInOctober(acme);
    await movesToNewYorkInNovember(acme);
    await decemberIsAsExpected(acme);
    await theYearAddsUp(acme);
    await theYearIsReproduced(acme);
  });
});

async function signsUpInJanuary(): Promise<Company> {
  const { operator } = story;
  const price = { currency: 'EUR', model: 'flat' };
  await operator.prices(SPEECH, '2026-01-01T00:00Z', { ...price, title: 'Speech to text', unitAmount: '0.005' });
  await operator.prices(TRANSLATION, '2026-01-01T00:00Z', { ...price, title: 'Translation', unitAmount: '0.01' });
  const acme = await story.signsUp('Acme GmbH', { currency: 'EUR', timezone: 'Europe/Berlin', taxRate: '19' });

  await acme.uses(SPEECH, 120_000, '2026-01-14');
  await acme.uses(TRANSLATION, 20_000, '2026-01-20');
  await operator.bills('2026-01');
  await acme.isInvoiced(`
    INV-000001      2025-12-31T23:00Z   2026-01-31T23:00Z   EUR
    Speech to text  /v1/transcriptions    120000    600.00  = 120000 × 0.005
    Translation     /v1/translations       20000    200.00  = 20000 × 0.01
    subtotal                                        800.00
    tax 19 %                                        152.00
    total                                           952.00
  `);
  await acme.pays('INV-000001', { card: '952.00', credit: '0.00', creditLeft: '0.00' });
  return acme;
}

async function februaryRoundsHalfACentUp(acme: Company): Promise<void> {
  await acme.uses(SPEECH, 80_000, '2026-02-10');
  await acme.uses(SPEECH, 1, '2026-02-28T22:59:59.999Z');
  await acme.uses(SPEECH, 1, '2026-02-28T23:00Z');
  await story.operator.bills('2026-02');
  await acme.isInvoiced(`
    INV-000002      2026-01-31T23:00Z   2026-02-28T23:00Z   EUR
    Speech to text  /v1/transcriptions     80001    400.01  = 80001 × 0.005
    subtotal                                        400.01
    tax 19 %                                         76.00
    total                                           476.01
  `);
  await acme.pays('INV-000002', { card: '476.01', credit: '0.00', creditLeft: '0.00' });
}

/** At 01:00 UTC on 29 March, clocks in Berlin go from 2 to 3. This month is an hour shorter, and the next one begins at 22:00 UTC. */
async function clocksGoForwardInMarch(acme: Company): Promise<void> {
  await acme.uses(SPEECH, 100_000, '2026-03-29T00:59:59.999Z');
  await acme.uses(SPEECH, 40_000, '2026-03-29T01:00Z');
  await acme.uses(SPEECH, 1, '2026-03-31T21:59:59.999Z');
  await acme.uses(SPEECH, 1, '2026-03-31T22:00Z');
  await story.operator.bills('2026-03');
  await acme.isInvoiced(`
    INV-000003      2026-02-28T23:00Z   2026-03-31T22:00Z   EUR
    Speech to text  /v1/transcriptions    140002    700.01  = 140002 × 0.005
    subtotal                                        700.01
    tax 19 %                                        133.00
    total                                           833.01
  `);
  await acme.pays('INV-000003', { card: '833.01', credit: '0.00', creditLeft: '0.00' });
}

/** The new version begins with April in Berlin, so it makes no second line. 10,000 requests of each month are free. */
async function pricesHaveTiersFromApril(acme: Company): Promise<void> {
  await story.operator.prices(SPEECH, '2026-03-31T22:00Z', {
    title: 'Speech to text',
    currency: 'EUR',
    model: 'graduated',
    freeRequests: 10_000,
    tiers: [
      { upTo: 100_000, unitAmount: '0.004' },
      { upTo: null, unitAmount: '0.002' },
    ],
  });
  await acme.uses(SPEECH, 150_000, '2026-04-16');
  await story.operator.bills('2026-04');
  await acme.isInvoiced(`
    INV-000004      2026-03-31T22:00Z   2026-04-30T22:00Z   EUR
    Speech to text  /v1/transcriptions    150001    480.00  = 10000 × 0 + 100000 × 0.004 + 40001 × 0.002
    subtotal                                        480.00
    tax 19 %                                         91.20
    total                                           571.20
  `);
  await acme.pays('INV-000004', { card: '571.20', credit: '0.00', creditLeft: '0.00' });
}

/**
 * A gateway that was offline reports April's usage in May. With it April costs 100000 × 0.004 + 70001 × 0.002 = 540.00: the tiers continue
 * where they stood, and the free requests are not given twice.
 */
async function aprilComesLateInMay(acme: Company): Promise<void> {
  story.on('2026-05-12');
  await acme.uses(SPEECH, 30_000, '2026-04-28');
  await acme.uses(SPEECH, 60_000, '2026-05-20');
  await story.operator.bills('2026-05');
  await acme.isInvoiced(`
    INV-000005                              2026-04-30T22:00Z  2026-05-31T22:00Z   EUR
    Speech to text (late usage of 2026-04)  /v1/transcriptions  30000     60.00    = 540.00 - 480.00
    Speech to text                          /v1/transcriptions  60000    200.00    = 10000 × 0 + 50000 × 0.004
    subtotal                                                             260.00
    tax 19 %                                                              49.40
    total                                                                309.40
  `);
}

/** Credit pays before the card does, until it is used up. */
async function creditIsGrantedInJune(acme: Company): Promise<void> {
  const { operator } = story;
  story.on('2026-06-05');
  await operator.grantsCredit(acme, '500.00', 'EUR', 'Outage of 3 June');
  await acme.pays('INV-000005', { card: '0.00', credit: '309.40', creditLeft: '190.60' });

  await acme.uses(SPEECH, 110_000, '2026-06-18');
  await acme.uses(TRANSLATION, 5_000, '2026-06-30T21:59:59.999Z');
  await operator.bills('2026-06');
  await acme.isInvoiced(`
    INV-000006      2026-05-31T22:00Z   2026-06-30T22:00Z   EUR
    Speech to text  /v1/transcriptions    110000    400.00  = 10000 × 0 + 100000 × 0.004
    Translation     /v1/translations        5000     50.00  = 5000 × 0.01
    subtotal                                        450.00
    tax 19 %                                         85.50
    total                                           535.50
  `);
  await acme.pays('INV-000006', { card: '344.90', credit: '190.60', creditLeft: '0.00' });
}

/**
 * From July on Acme has its own price, which was agreed to include translations, but the invoice charges them. The invoice is voided, and
 * one issued by hand replaces it. July is not billed again.
 */
async function julyIsWrong(acme: Company): Promise<void> {
  const { operator } = story;
  await operator.prices(SPEECH, '2026-06-30T22:00Z', {
    companyId: acme.companyId,
    title: 'Speech to text, Acme',
    currency: 'EUR',
    model: 'flat',
    unitAmount: '0.0015',
  });
  await acme.uses(SPEECH, 200_000, '2026-07-09');
  await acme.uses(TRANSLATION, 10_000, '2026-07-10');
  await operator.bills('2026-07');
  await acme.isInvoiced(`
    INV-000007            2026-06-30T22:00Z   2026-07-31T22:00Z   EUR
    Speech to text, Acme  /v1/transcriptions    200000    300.00  = 200000 × 0.0015
    Translation           /v1/translations       10000    100.00  = 10000 × 0.01
    subtotal                                              400.00
    tax 19 %                                               76.00
    total                                                 476.00
  `);

  story.on('2026-08-05');
  expect((await operator.voids(acme, 'INV-000007')).body).toMatchObject({ status: 'Processing', total: '476.00' });
  expect((await acme.invoice('INV-000007')).voidedAt).not.toBeNull();
  expect((await acme.attemptsToPay('INV-000007')).body.error.code).toBe('invoice_voided');
  await operator.bills('2026-07');
  await operator.invoices(acme, {
    startAt: '2026-06-30T22:00:00Z',
    endAt: '2026-07-31T22:00:00Z',
    taxRate: '19',
    details: [
      { title: 'Speech to text, Acme', path: SPEECH, totalRequest: 200_000, currency: 'EUR', amount: '300.00' },
      { title: 'Translation', path: TRANSLATION, totalRequest: 10_000, currency: 'EUR', amount: '0' },
    ],
    metadata: { replaces: 'INV-000007' },
  });
  await acme.isInvoiced(`
    INV-000008            2026-06-30T22:00Z   2026-07-31T22:00Z   EUR
    Speech to text, Acme  /v1/transcriptions    200000    300.00  = 200000 × 0.0015
    Translation           /v1/translations       10000      0.00
    subtotal                                              300.00
    tax 19 %                                               57.00
    total                                                 357.00
  `);
  await acme.pays('INV-000008', { card: '357.00', credit: '0.00', creditLeft: '0.00' });
}

/** June's translations had failed. June is paid, so a credit note is issued, and the money is returned as credit. */
async function creditNoteInAugust(acme: Company): Promise<void> {
  const { operator } = story;
  story.on('2026-08-12');
  await operator.credits(acme, 'INV-000006', {
    reason: 'The translations of 30 June failed',
    details: [{ title: 'Translations that failed', amount: '50.00' }],
  });
  await acme.isCredited(
    'INV-000006',
    `
    CN-000001                 for INV-000006  EUR
    Translations that failed   50.00  = 5000 × 0.01
    subtotal                   50.00
    tax 19 %                    9.50
    total                      59.50
  `,
  );
  await operator.grantsCredit(acme, '59.50', 'EUR', 'CN-000001');

  await acme.uses(SPEECH, 90_000, '2026-08-20');
  await operator.bills('2026-08');
  await acme.isInvoiced(`
    INV-000009            2026-07-31T22:00Z   2026-08-31T22:00Z   EUR
    Speech to text, Acme  /v1/transcriptions     90000    135.00  = 90000 × 0.0015
    subtotal                                              135.00
    tax 19 %                                               25.65
    total                                                 160.65
  `);
  await acme.pays('INV-000009', { card: '101.15', credit: '59.50', creditLeft: '0.00' });
}

/** September is taxed. Acme enters its tax id in October, and from then on its invoices are without tax, as the operator allowed. */
async function clocksGoBackInOctober(acme: Company): Promise<void> {
  const { operator } = story;
  await acme.uses(SPEECH, 70_001, '2026-09-30T21:59:59.999Z');
  await acme.uses(SPEECH, 1, '2026-09-30T22:00Z');
  await operator.bills('2026-09');
  await acme.isInvoiced(`
    INV-000010            2026-08-31T22:00Z   2026-09-30T22:00Z   EUR
    Speech to text, Acme  /v1/transcriptions     70001    105.00  = 70001 × 0.0015
    subtotal                                              105.00
    tax 19 %                                               19.95
    total                                                 124.95
  `);
  await acme.pays('INV-000010', { card: '124.95', credit: '0.00', creditLeft: '0.00' });

  story.on('2026-10-15');
  await operator.changesBillingOf(acme, { exemptWithTaxId: true });
  await acme.writesBillingInformation({ taxId: 'DE123456789' });
  await acme.uses(SPEECH, 50_000, '2026-10-25T00:30Z');
  await acme.uses(SPEECH, 50_000, '2026-10-25T01:30Z');
  await acme.uses(SPEECH, 1, '2026-10-31T22:59:59.999Z');
  await acme.uses(SPEECH, 1, '2026-10-31T23:00Z');
  await operator.bills('2026-10');
  await acme.isInvoiced(`
    INV-000011            2026-09-30T22:00Z   2026-10-31T23:00Z   EUR
    Speech to text, Acme  /v1/transcriptions    100002    150.00  = 100002 × 0.0015
    subtotal                                              150.00
    tax 0 %                                                 0.00
    total                                                 150.00
  `);
  await acme.pays('INV-000011', { card: '150.00', credit: '0.00', creditLeft: '0.00' });
}

/** November began at 23:00 UTC, by Berlin time, and ends at 05:00 UTC, by New York time. Nothing is lost or billed twice. */
async function movesToNewYorkInNovember(acme: Company): Promise<void> {
  const { operator } = story;
  story.on('2026-11-10');
  await operator.changesBillingOf(acme, { timezone: 'America/New_York' });
  await acme.uses(SPEECH, 40_000, '2026-11-20');
  await acme.uses(SPEECH, 10, '2026-11-30T23:00Z');
  await acme.uses(SPEECH, 1, '2026-12-01T04:59:59.999Z');
  await acme.uses(SPEECH, 1, '2026-12-01T05:00Z');
  await operator.bills('2026-11');
  await acme.isInvoiced(`
    INV-000012            2026-10-31T23:00Z   2026-12-01T05:00Z   EUR
    Speech to text, Acme  /v1/transcriptions     40012     60.02  = 40012 × 0.0015
    subtotal                                               60.02
    tax 0 %                                                 0.00
    total                                                  60.02
  `);
  await acme.pays('INV-000012', { card: '60.02', credit: '0.00', creditLeft: '0.00' });
}

/**
 * The preview of the last day equals what the run bills, late usage included. With it November costs 41016 × 0.0015 = 61.52, a cent less
 * than if the late usage were rounded separately.
 */
async function decemberIsAsExpected(acme: Company): Promise<void> {
  const { operator } = story;
  await acme.uses(SPEECH, 80_000, '2026-12-10');
  await acme.uses(SPEECH, 1_004, '2026-11-25');
  story.on('2026-12-31');
  const december = `
    period                                        2026-12-01T05:00Z   2027-01-01T05:00Z   EUR
    Speech to text, Acme (late usage of 2026-11)  /v1/transcriptions      1004      1.50  = 61.52 - 60.02
    Speech to text, Acme                          /v1/transcriptions     80001    120.00  = 80001 × 0.0015
    subtotal                                                                      121.50
    tax 0 %                                                                         0.00
    total                                                                         121.50
  `;
  await acme.expects(december.replace('period', '2026-12'));
  const asTheCompanySeesIt = await acme.read('/payments/upcoming-invoice');
  expect(await operator.draftOf(acme)).toEqual({ ...asTheCompanySeesIt, companyExternalId: null });
  await operator.bills('2026-12');
  await acme.isInvoiced(december.replace('period', 'INV-000013'));
  await acme.pays('INV-000013', { card: '121.50', credit: '0.00', creditLeft: '0.00' });
}

/**
 * Twelve months, one of them billed twice with a void in between. Every request is on one invoice, and every cent was
 * paid once.
 */
async function theYearAddsUp(acme: Company): Promise<void> {
  const { data } = await acme.read('/payments/orders?perPage=1000');
  type Invoice = {
    number: string;
    voidedAt: string | null;
    total: string;
    details: { path: string; totalRequest: string }[];
  };
  const valid = (data as Invoice[]).filter(({ voidedAt }) => voidedAt === null);
  expect(data).toHaveLength(13);
  expect(valid).toHaveLength(12);

  const speech = valid.flatMap(({ details }) => details).filter(({ path }) => path === SPEECH);
  expect(speech.reduce((sum, { totalRequest }) => sum + Number(totalRequest), 0)).toBe(1_271_024);
  expect(await acme.usageOf(SPEECH, '2026-01-01', '2027-01-01', 'Europe/Berlin')).toBe(1_271_024);

  const cents = (amount: string) => Math.round(Number(amount) * 100);
  expect(valid.reduce((sum, { total }) => sum + cents(total), 0)).toBe(4_651_24);
  const { captures } = await story.service.sandbox.readLedger();
  expect(captures.reduce((sum, { amountMinor }) => sum + Number(amountMinor), 0)).toBe(4_651_24 - 500_00 - 59_50);
}

/** Whatever changed since, each invoice comes out the same from the usage, prices and settings that it was made of. */
async function theYearIsReproduced(acme: Company): Promise<void> {
  const byHand = 'INV-000008';
  for (const number of await acme.numbers()) {
    const { body } = await story.operator.recomputes(acme, number);
    if (number === byHand) expect(body.error.code).toBe('invoice_not_computed');
    else expect(body).toMatchObject({ number, matches: true, differences: [] });
  }
}
