import { compare, describe } from './load.ts';
import type { Row } from './report.ts';
import { bearer, connectClient, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

/** The other reads, of a company with three cards, against their one statement. */
export async function benchReads(setting: Setting): Promise<Row[]> {
  const { serviceUrl, floorUrl, rounds, seconds } = setting;
  const company = await seedCompany(setting);
  const paydesk = connectClient(setting, company);
  const { id: addressId } = await paydesk.addresses.create({ streetAddress: '12 St James Square', country: 'GB' });
  const expYear = new Date().getUTCFullYear() + 3;
  const info = {
    cardName: 'Ada Lovelace',
    cardNumber: '4242424242424242',
    expMonth: 12,
    expYear,
    cvv: '123',
    country: 'GB',
  };
  for (let card = 0; card < 3; card += 1) await paydesk.cards.create({ addressId, info });
  const label = await paydesk.labels.create({
    name: 'One',
    description: 'A label',
    color: '#fff',
    userName: 'Ada',
  });

  const reads = [
    ['GET /payments/cards', '/payments/cards', '/cards'],
    ['GET /payments/addresses', '/payments/addresses', '/addresses'],
    ['GET /payments/billing-information', '/payments/billing-information', '/billing-information'],
    ['GET /labels/{id}', `/labels/${label.id}`, '/label'],
  ] as const;
  const rows: Row[] = [];
  for (const [name, ours, floor] of reads) {
    const result = await compare(
      { url: `${serviceUrl}${ours}`, headers: bearer(company) },
      { url: `${floorUrl}${floor}?company=${company.companyId}&id=${label.id}` },
      rounds,
      Math.min(3, seconds),
    );
    rows.push({ name, ratio: result.throughputRatio, bound: '≥', limit: 0.7, detail: describe(result) });
  }
  return rows;
}
