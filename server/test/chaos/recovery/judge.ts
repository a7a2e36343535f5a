/** What must hold after a database that went back was brought together: R1 to R7 of docs/internals/model.md, and what people were told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { api, expectSound, pay, raise, type World } from '../world.ts';
import { worthOfUsage } from './acts.ts';
import { adoptAll, describe, reconcile } from './command.ts';
import type { LeftCase } from './person.ts';
import { type Story, send } from './story.ts';

const MOST_COMPARISONS = 20;
const RETRY_MS = 1_000;

/**
 * What companies have, as text: the same for the same books. Charges that have failed are not in it: nobody misses them. Nor are gateways'
 * fees, which are read some time after the charge.
 */
export async function readBooksOf({ owner }: World, companies?: readonly string[]): Promise<string> {
  const rows = await owner<{ text: string }[]>`
    SELECT text FROM (
      SELECT company_id, concat_ws(' ', 'invoice', id, number, debt_of(invoices), CASE status WHEN 'Succeeded' THEN payment_id::text END,
                         total, tax, credited_total, part_paid, currency, voided_at IS NOT NULL, details::text) AS text FROM invoices
      UNION ALL
      SELECT company_id, concat_ws(' ', 'credit note', id, number, invoice_id, total, after_payment) FROM credit_notes
      UNION ALL
      SELECT company_id, concat_ws(' ', 'payment', id, invoice_id, gateway, gateway_payment_id, amount_minor, credit_minor, currency)
      FROM payments WHERE state = 'captured'
      UNION ALL
      SELECT company_id, concat_ws(' ', 'refund', id, payment_id, gateway_refund_id, amount_minor, credit_minor) FROM refunds
      WHERE state = 'succeeded'
      UNION ALL
      SELECT company_id, concat_ws(' ', 'credit', balance_minor, currency) FROM credit_balances
      UNION ALL
      SELECT company_id, concat_ws(' ', 'account', account, currency, sum(amount_minor)) FROM ledger_postings
      WHERE kind <> 'gateway_fee' GROUP BY company_id, account, currency
    ) AS books
    WHERE ${companies === undefined} OR company_id IN (
      SELECT json_array_elements_text(${JSON.stringify(companies ?? [])}::text::json)::uuid
    ) ORDER BY 1`;
  return rows.map(({ text }) => text).join('\n');
}

/** The companies whose books are the same before and after, if no journal is lost. Those that are lost with their sign-up are not. */
export function companiesOf({ buyer, poor, plan, waits }: Story): string[] {
  const { asked, debtor, bouncer, first } = waits ?? {};
  const hasEnded = plan.waits.atBackup?.ends === 'before it goes back';
  return [buyer, poor, asked, debtor, bouncer, hasEnded ? first : null].flatMap((party) => party?.companyId ?? []);
}

/** Whether all journals are there, so that nothing is lost. */
export function isWhole({ plan: { journal } }: Story): boolean {
  return journal === 'kept' || journal === 'moved';
}

/** With its journal, a database lacks nothing afterwards, and nobody has to decide about companies that are there. */
export async function expectAsBefore(story: Story, before: string, left: readonly LeftCase[]): Promise<void> {
  const companies = companiesOf(story);
  const needless = left.filter(({ companyId }) => companies.includes(companyId ?? ''));
  if (needless.length > 0)
    raise(`a person was asked needlessly:\n${needless.map(({ kind, note }) => `  ${kind}: ${note}`).join('\n')}`);
  const [ours, theirs] = [before, await readBooksOf(story.world, companies)].map((text) => new Set(text.split('\n')));
  const differences = [
    ...[...(ours ?? [])].filter((line) => !theirs?.has(line)).map((line) => `  was ${line}`),
    ...[...(theirs ?? [])].filter((line) => !ours?.has(line)).map((line) => `  is  ${line}`),
  ];
  if (differences.length > 0) raise(`R2 the books are not as before:\n${differences.join('\n')}`);
}

/**
 * Every request of the operator is sent once more with its key. If nothing is lost, it gets the answer that it got. The documents of a
 * company that signed up after the backup are gone once what it paid was refunded.
 */
export async function repeatRequests(story: Story): Promise<void> {
  const gone = story.plan.lostCompany === 'is refunded' ? story.late.map(({ companyId }) => companyId) : [];
  for (const { answer, ...sent } of story.sent) {
    const again = await send(story, sent);
    const isSame = again.status === answer.status && again.body.id === answer.body.id;
    const isLasting = isWhole(story) && !gone.includes(answer.body.companyId);
    if (isLasting ? !isSame : again.status >= 500)
      raise(`${sent.path} was answered with ${describeAnswer(answer)}, and now with ${describeAnswer(again)}`);
  }
}

const describeAnswer = ({ status, body }: { status: number; body: object }) => `${status} ${JSON.stringify(body)}`;

/**
 * R1: usage is billed once, however often it is reported. What is not sent again may be lost, and what is sent again before the books are
 * brought together counts as billed.
 */
export async function expectUsageOnce(story: Story): Promise<void> {
  const { world, plan, buyer } = story;
  const [{ billed }] = await world.owner<[{ billed: string }]>`
    SELECT coalesce(sum(sub_total), 0)::text AS billed FROM invoices WHERE company_id = ${buyer.companyId} AND debt LIKE 'usage:%'`;
  const worth = worthOfUsage(story);
  const isWrong = isWhole(story) && plan.usage === 'resent late' ? Number(billed) !== worth : Number(billed) > worth;
  if (isWrong) raise(`R1 usage that is worth ${worth} was billed with ${billed}`);
}

/**
 * R1: what was voided is not charged, although a database without its journal has it as open. Whoever tries is told that it waits for a
 * person, that it is void, or that nobody knows it.
 */
export async function expectVoidedIsNotCharged({ world, buyer, voided }: Story): Promise<void> {
  for (const invoiceId of voided) {
    const { status } = await pay(world, api(world), { ...buyer, invoiceId });
    if (status !== 404 && status !== 409)
      raise(`R1 a pay of ${invoiceId}, which was voided, was answered with ${status}`);
  }
}

/** R4: a number that somebody was told names that document, or none. */
export async function expectNumbers(story: Story): Promise<void> {
  const { world, documents } = story;
  const rows = await world.owner<{ number: string; id: string | null }[]>`
    SELECT number, id FROM invoices UNION ALL SELECT number, id FROM credit_notes UNION ALL SELECT number, NULL FROM lost_numbers`;
  const named = Map.groupBy(rows, ({ number }) => number);
  for (const [number, id] of documents) {
    const ids = (named.get(number) ?? []).map((row) => row.id);
    const others = ids.filter((other) => other !== null && other !== id);
    if (others.length > 0) raise(`R4 ${number} named ${id}, and now ${others.join()}`);
    if (isWhole(story) && ids.length === 0)
      raise(`R4 ${number} names nothing any more, and nobody knows that it is lost`);
  }
}

/** Both books agree, nothing is missing any more, and no charge has broken an invariant. */
export async function expectRight(story: Story): Promise<void> {
  const { world } = story;
  await expectSound(world);
  await expectNumbers(story);
  const adopted = await adoptAll(world, ['--adopt']);
  if (adopted.code !== 0) raise(`at the end, reconcile --adopt says ${describe(adopted)}`);
  const around = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  let compared = await reconcile(world, ...around);
  // A gateway's fees are read some time after their charge.
  for (let tries = 1; isWhole(story) && compared.code !== 0 && tries < MOST_COMPARISONS; tries += 1) {
    await sleep(RETRY_MS);
    compared = await reconcile(world, ...around);
  }
  if (isWhole(story) && compared.code !== 0) raise(`R2 at the end, reconcile says ${describe(compared)}`);
}
