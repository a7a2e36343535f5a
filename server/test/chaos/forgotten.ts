import type { Db } from '../../src/platform/database/database.ts';
import type { Seen } from './processes.ts';

/** What clients were told. */
export type Memory = {
  /** The answers to pay requests. */
  seen: { invoiceId: string; answer: Seen }[];
  seenRefunds: Seen[];
  /** What they were told was created. */
  created: { table: string; id: string }[];
};
type Remembered = Memory & { owner: Db };

/** What clients were told and the database does not contain (I11). */
export async function findForgotten(world: Remembered): Promise<string[]> {
  const { owner, seen, created: kept } = world;
  const forgotten = await findForgottenRefunds(world);
  for (const { invoiceId, answer } of seen) {
    if (answer.status !== 200 && answer.status !== 202) continue;
    const [row] = await owner<{ paymentId: string | null }[]>`
      SELECT payment_id AS "paymentId" FROM invoices WHERE id = ${invoiceId}`;
    const isKept = answer.status === 202 ? row !== undefined : row?.paymentId === answer.body.paymentId;
    if (!isKept) forgotten.push(`I11 a client saw ${JSON.stringify(answer)}, the database says ${JSON.stringify(row)}`);
  }
  for (const [table, rows] of Map.groupBy(kept, (row) => row.table)) {
    const found = await owner<
      { id: string }[]
    >`SELECT id FROM ${owner(table)} WHERE id IN ${owner(rows.map(({ id }) => id))}`;
    const ids = new Set(found.map(({ id }) => id));
    forgotten.push(
      ...rows.filter(({ id }) => !ids.has(id)).map(({ id }) => `I11 ${table} ${id} was created and is gone`),
    );
  }
  return forgotten;
}

async function findForgottenRefunds({ owner, seenRefunds }: Remembered): Promise<string[]> {
  const answered = seenRefunds.filter(({ status }) => status === 201 || status === 202);
  if (answered.length === 0) return [];
  const rows = await owner<{ id: string; state: string }[]>`
    SELECT id, state FROM refunds WHERE id IN ${owner(answered.map(({ body }) => body.id))}`;
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return answered.flatMap(({ status, body }) => {
    const state = states.get(body.id);
    const isKept = status === 202 ? state !== undefined : state === 'succeeded';
    return isKept ? [] : [`I11 a client saw ${JSON.stringify(body)}, the database says ${state}`];
  });
}
