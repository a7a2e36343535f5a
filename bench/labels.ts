import { compare, describe, load } from './load.ts';
import { median, type Row } from './report.ts';
import { bearer, type Company, seedCompany, seedLabels } from './seed.ts';
import type { Setting } from './setting.ts';

/** `GET /labels`, page 1 of 10,000 labels among 100,000. */
export async function benchLabels(setting: Setting): Promise<Row[]> {
  const company = await seedCompany(setting);
  await seedLabels(setting, company, 10_000);
  for (let other = 0; other < 9; other += 1) await seedLabels(setting, await seedCompany(setting), 10_000);
  const { serviceUrl, floorUrl, rounds, seconds } = setting;
  const result = await compare(
    { url: `${serviceUrl}/labels`, headers: bearer(company) },
    { url: `${floorUrl}/labels?company=${company.companyId}` },
    rounds,
    seconds,
  );
  const anew = await withChangesAlways(setting, () =>
    compare(
      { url: `${serviceUrl}/labels`, headers: bearer(company) },
      { url: `${floorUrl}/labels?company=${company.companyId}` },
      rounds,
      seconds,
    ),
  );
  const name = 'GET /labels, 10,000 of 100,000';
  return [
    { name, ratio: result.throughputRatio, bound: '≥', limit: 0.8, detail: describe(result) },
    {
      name: `${name}, after a change`,
      ratio: anew.throughputRatio,
      bound: '≥',
      limit: 0.4,
      detail: describe(anew),
    },
  ];
}

/**
 * Makes every read of a company's counter of changes another number, so that each page is read anew, as it is after a change of
 * labels. Labels can't be written meanwhile.
 */
async function withChangesAlways<T>({ owner }: Setting, measure: () => Promise<T>): Promise<T> {
  await owner`ALTER TABLE label_counts RENAME TO label_counts_kept`;
  await owner`CREATE SEQUENCE changes_always`;
  await owner`
    CREATE VIEW label_counts AS
      SELECT company_id, shard, labels, changes + nextval('changes_always') AS changes, assignment_changes FROM label_counts_kept`;
  await owner`GRANT SELECT ON label_counts TO paydesk_application`;
  await owner`GRANT USAGE ON changes_always TO paydesk_application`;
  try {
    return await measure();
  } finally {
    await owner`DROP VIEW label_counts`;
    await owner`DROP SEQUENCE changes_always`;
    await owner`ALTER TABLE label_counts_kept RENAME TO label_counts`;
  }
}

/** The same list as the company grows a thousandfold, each page read anew. */
export async function benchLabelGrowth(setting: Setting): Promise<Row[]> {
  const { serviceUrl, rounds, seconds } = setting;
  const small = await seedCompany(setting);
  await seedLabels(setting, small, 1_000);
  const large = await seedCompany(setting);
  await seedLabels(setting, large, 1_000_000);
  const list = (company: Company) => ({ url: `${serviceUrl}/labels`, headers: bearer(company) });
  const falls: number[] = [];
  let detail = '';
  await withChangesAlways(setting, async () => {
    await load(list(large), 1);
    for (let round = 0; round < rounds; round += 1) {
      const ofSmall = await load(list(small), seconds);
      const ofLarge = await load(list(large), seconds);
      falls.push(ofSmall.perSecond / ofLarge.perSecond);
      detail = `${ofSmall.perSecond.toFixed(0)}/s with 1,000; ${ofLarge.perSecond.toFixed(0)}/s with 1,000,000`;
    }
  });
  return [{ name: 'GET /labels falls from 1,000 to 1,000,000', ratio: median(falls), bound: '≤', limit: 1.3, detail }];
}

/** A name search that hits 1 % of 100,000 labels, against the page query of the same company. */
export async function benchLabelSearch(setting: Setting): Promise<Row[]> {
  const { serviceUrl, floorUrl, rounds, seconds } = setting;
  const company = await seedCompany(setting);
  await seedLabels(setting, company, 100_000);
  const result = await compare(
    { url: `${serviceUrl}/labels?name=urgent`, headers: bearer(company) },
    { url: `${floorUrl}/labels?company=${company.companyId}` },
    rounds,
    seconds,
  );
  return [
    {
      name: 'GET /labels?name=, 1 % of 100,000, p50',
      ratio: result.p50Ratio,
      bound: '≤',
      limit: 5,
      detail: describe(result),
    },
  ];
}

/** `POST /labels` against one insert. */
export async function benchLabelWrites(setting: Setting): Promise<Row[]> {
  const { serviceUrl, floorUrl, rounds, seconds } = setting;
  const company = await seedCompany(setting);
  const label = { name: 'Label [<id>]', description: 'What it stands for', color: '#ff8800', userName: 'Ada Lovelace' };
  const result = await compare(
    {
      url: `${serviceUrl}/labels`,
      method: 'POST',
      headers: bearer(company),
      body: JSON.stringify(label),
      expectedStatus: 201,
    },
    { url: `${floorUrl}/labels`, method: 'POST', body: JSON.stringify({ ...label, ...company, name: 'Floor [<id>]' }) },
    rounds,
    seconds,
  );
  return [{ name: 'POST /labels', ratio: result.throughputRatio, bound: '≥', limit: 0.7, detail: describe(result) }];
}
