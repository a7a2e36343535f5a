import { compare, describe } from './load.ts';
import type { Row } from './report.ts';
import { bearer, type Company, seedCompany, seedInvoices } from './seed.ts';
import type { Setting } from './setting.ts';

const INVOICES = 100_000;

const FILTERS = [
  'status=Succeeded',
  'status=Failed',
  'method=paypal',
  'min=50',
  'max=10',
  'min=20&max=30',
  'startAt=2020-01-01',
  'endAt=2020-01-01',
  'startAt=2020-01-01&endAt=2020-12-31',
  'receipt=INV-050000',
  'status=Failed&min=50&startAt=2020-01-01',
];

let seeded: Promise<Company> | undefined;

async function seedOnce(setting: Setting): Promise<Company> {
  seeded ??= (async () => {
    const company = await seedCompany(setting);
    await seedInvoices(setting, company, INVOICES);
    return company;
  })();
  return seeded;
}

async function compareList(setting: Setting, query: string): Promise<Row> {
  const { serviceUrl, floorUrl, rounds, seconds } = setting;
  const company = await seedOnce(setting);
  const result = await compare(
    { url: `${serviceUrl}/payments/orders?${query}`, headers: bearer(company) },
    { url: `${floorUrl}/orders?company=${company.companyId}` },
    rounds,
    seconds,
  );
  return {
    name: `GET /payments/orders?${query}, p50`.slice(0, 60),
    ratio: result.p50Ratio,
    bound: '≤',
    limit: 3,
    detail: describe(result),
  };
}

/** `GET /payments/orders` of a company with 100,000 invoices. */
export async function benchInvoices(setting: Setting): Promise<Row[]> {
  return [await compareList(setting, '')];
}

/** The same with each filter. */
export async function benchInvoiceFilters(setting: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const filter of FILTERS)
    rows.push(await compareList({ ...setting, seconds: Math.min(2, setting.seconds) }, filter));
  return rows;
}
