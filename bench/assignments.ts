import { randomUUID } from 'node:crypto';
import { compare, describe, send } from './load.ts';
import type { Row } from './report.ts';
import { bearer, type Company, connectClient, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

const LABELS_OF_A_RECORD = 3;

/** What reads cost among so many labels on tickets, against the bare queries; and how long it takes to delete a label. */
export async function benchAssignments(setting: Setting, count: number): Promise<Row[]> {
  const { serviceUrl, floorUrl, rounds, seconds } = setting;
  const company = await seedCompany(setting);
  const [label = ''] = await seedAssignments(setting, company, count);
  const records = Math.floor(count / LABELS_OF_A_RECORD);
  const reads = [
    ['GET /labels/assignments', '/labels/assignments?type=ticket&id=T-500', '/record-labels'],
    ['GET /labels/{id}/assignments', `/labels/${label}/assignments?type=ticket`, '/label-records'],
  ] as const;
  const rows: Row[] = [];
  for (const [name, path, floor] of reads) {
    const query = new URLSearchParams({ company: company.companyId, label, id: 'T-500' });
    const result = await compare(
      { url: `${serviceUrl}${path}`, headers: bearer(company) },
      { url: `${floorUrl}${floor}?${query}` },
      rounds,
      Math.min(3, seconds),
    );
    const ratio = 1 / result.throughputRatio;
    rows.push({ name: `${name}, of ${count}`, ratio, bound: '≤', limit: 2, detail: describe(result) });
  }
  return [...rows, await benchDeletion(setting, company, { label, records })];
}

/** A deletion takes the label off all its records in one statement, which may take 5 seconds. */
async function benchDeletion(
  { serviceUrl }: Setting,
  company: Company,
  { label, records }: { label: string; records: number },
): Promise<Row> {
  const startedAtMs = performance.now();
  const body = JSON.stringify({ label_ids: [label] });
  const content = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const headers = { ...bearer(company), ...content };
  const { status, text } = await send(`${serviceUrl}/labels`, { method: 'DELETE', headers }, body);
  const elapsedSeconds = (performance.now() - startedAtMs) / 1_000;
  if (status !== 204) throw new Error(`DELETE /labels answered ${status}: ${text}`);
  const name = `DELETE /labels, one on ${records} records, of 5 s`;
  return { name, ratio: elapsedSeconds / 5, bound: '≤', limit: 1, detail: `${elapsedSeconds.toFixed(2)} s` };
}

/** Tickets with three labels each, straight into the table. @returns the labels */
async function seedAssignments(setting: Setting, company: Company, count: number): Promise<string[]> {
  const { owner } = setting;
  const paydesk = connectClient(setting, company);
  const labelIds: string[] = [];
  for (let label = 0; label < LABELS_OF_A_RECORD; label += 1) {
    const body = { name: `Label ${randomUUID()}`, description: 'A label', color: '#fff', userName: 'Ada' };
    labelIds.push((await paydesk.labels.create(body)).id);
  }
  await owner`
    INSERT INTO label_assignments (company_id, type, id, label_id)
    SELECT ${company.companyId}, 'ticket', 'T-' || number, label::uuid
    FROM generate_series(1, ${Math.floor(count / LABELS_OF_A_RECORD)}::int) AS number,
         string_to_table(${labelIds.join()}, ',') AS label`;
  await owner`VACUUM ANALYZE label_assignments`;
  return labelIds;
}
