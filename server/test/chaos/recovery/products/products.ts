/** A product whose companies the backup lacks: what it does after the database went back, and what must hold then. */

import { addSource, prepareInvoice, raise } from '../../world.ts';
import { LATE_QUANTITY, reportUsage, UNIT_AMOUNT } from '../acts.ts';
import { isWhole, readBooksOf } from '../judge.ts';
import type { LeftCase } from '../person.ts';
import { type OfProduct, type Story, settlePaid } from '../story.ts';
import { putCompany } from './put.ts';

/** What each company has, with its external id in place of its id. */
export type ProductBooks = ReadonlyMap<string, string>;

/** Reads the books of the product's companies. */
export async function readProductBooks(story: Story): Promise<ProductBooks> {
  const books = new Map<string, string>();
  for (const { externalId, charge } of story.ofProduct) {
    const ids = [charge.companyId, ...(await companiesWith(story, externalId))];
    const text = await readBooksOf(story.world, ids);
    books.set(
      externalId,
      ids
        .reduce((known, id) => known.replaceAll(id, externalId), text)
        .split('\n')
        .sort()
        .join('\n'),
    );
  }
  return books;
}

async function companiesWith({ world: { owner } }: Story, externalId: string): Promise<string[]> {
  const rows = await owner<{ id: string }[]>`SELECT id FROM companies WHERE external_id = ${externalId}`;
  return rows.map(({ id }) => id);
}

/** The product does not know what has happened, and sends the `PUT` of its companies again, if the plan says so. */
export async function putAgain(story: Story): Promise<void> {
  if (story.plan.product === 'waits') return;
  for (const { externalId } of story.ofProduct) await putCompany(story.world, externalId);
}

/** It reports usage again: events that were counted are duplicates, others wait for their company. */
export async function reportAgain(story: Story): Promise<void> {
  const events = story.ofProduct.map(({ event }) => event);
  if (events.length > 0) await reportUsage(story, events);
}

/** A lost company is the one that has its external id, or is made again with its own: nobody is asked, and nothing of it is missing. */
export async function expectProduct(story: Story, before: ProductBooks, left: readonly LeftCase[]): Promise<void> {
  const { plan, ofProduct } = story;
  const now = await readProductBooks(story);
  for (const { externalId, charge } of ofProduct) {
    const ids = await companiesWith(story, externalId);
    const isMadeAgain = ids[0] === charge.companyId;
    if (ids.length !== 1 || isMadeAgain !== (plan.product === 'waits'))
      raise(`company ${charge.companyId} with the external id ${externalId} is now ${ids.join() || 'lost'}`);
    const needless = left.filter(({ companyId }) => companyId === charge.companyId || companyId === ids[0]);
    if (isWhole(story) && needless.length > 0) raise(`a person was asked needlessly: ${JSON.stringify(needless)}`);
    if (isWhole(story) && now.get(externalId) !== before.get(externalId))
      raise(`R2 the books of ${externalId} were\n${before.get(externalId)}\nand are\n${now.get(externalId)}`);
  }
}

/** The product goes on: it sends its `PUT`, reports usage again, and its customer pays a new invoice with a new card. */
export async function goOnWithProduct(story: Story): Promise<void> {
  await reportAgain(story);
  for (const one of story.ofProduct) {
    const company = await putCompany(story.world, one.externalId);
    await addSource(story.world, company.token, 'pays');
    await settlePaid(story, await prepareInvoice(story.world, company));
    await expectUsageOnce(story, one);
  }
}

/** R1: usage that came before its company is counted once, however often it was reported and whoever has the external id. */
async function expectUsageOnce(story: Story, { externalId }: OfProduct): Promise<void> {
  const [{ quantity, billed }] = await story.world.owner<[{ quantity: string; billed: string }]>`
    SELECT (SELECT coalesce(sum(quantity), 0)::text FROM usage_events WHERE company_id = companies.id) AS quantity,
           (SELECT coalesce(sum(sub_total), 0)::text FROM invoices WHERE company_id = companies.id AND debt LIKE 'usage:%') AS billed
    FROM companies WHERE external_id = ${externalId}`;
  if (quantity !== String(LATE_QUANTITY)) raise(`R1 the usage of ${externalId} counts ${quantity}`);
  const worth = LATE_QUANTITY * Number(UNIT_AMOUNT);
  const isWrong =
    isWhole(story) && story.plan.usage !== 'not resent' ? Number(billed) !== worth : Number(billed) > worth;
  if (isWrong) raise(`R1 the usage of ${externalId} is worth ${worth}, and was billed with ${billed}`);
}
