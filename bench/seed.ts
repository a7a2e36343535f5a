import { randomUUID } from 'node:crypto';
import { createPaydesk, type Paydesk } from '../packages/client/src/index.ts';
import { buyerSnapshot, sellerSnapshot } from '../server/src/billing/invoices/issue/snapshots.parts.queries.ts';
import type { Setting } from './setting.ts';

export const PASSWORD = 'Correct-horse-7';

export type Company = { companyId: string; userId: string; token: string; email: string };

/**
 * The client of the operator and of a company, for what has to be there before a measurement. What is measured is asked for by plain
 * requests, so that the client's own work, on the same machine, is in no figure.
 */
export function connectClient({ serviceUrl: url, operatorKey }: Setting, company?: Company): Paydesk {
  return createPaydesk({ url, operatorKey, accessToken: company?.token });
}

/** A company with an admin, by the API. */
export async function seedCompany(setting: Setting): Promise<Company> {
  const email = `${randomUUID()}@example.com`;
  const person = { first_name: 'Ada', last_name: 'Lovelace', email, password: PASSWORD };
  const { data } = await connectClient(setting).auth.signUpAdmin(person);
  return { companyId: data.user.company.id, userId: data.user.id, token: data.access_token, email };
}

/** So many labels, straight into the table. One in a hundred has "urgent" in its name. */
export async function seedLabels({ owner }: Setting, { companyId, userId }: Company, count: number): Promise<void> {
  await owner`
    INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color)
    SELECT ${companyId}, gen_random_uuid(), ${userId}, 'Ada Lovelace', 'Ada Lovelace',
           CASE WHEN number % 100 = 0 THEN 'Customer urgent ' ELSE 'Customer segment ' END || md5(number::text),
           'What this label stands for', '#ff8800'
    FROM generate_series(1, ${count}) AS number`;
  await owner`VACUUM ANALYZE labels`;
}

/** So many invoices over ten years, a third each Processing, Succeeded and Failed, straight into the tables. */
export async function seedInvoices({ owner }: Setting, { companyId }: Company, count: number): Promise<void> {
  await owner`
    INSERT INTO invoices (company_id, id, number, bill_to_id, start_at, end_at, method, status, currency, minor_unit_digits,
                          tax_rate, sub_total, tax, total, details, buyer, seller)
    SELECT ${companyId}, gen_random_uuid(), 'INV-' || lpad(number::text, 6, '0'), billing.id,
           '2016-01-01T00:00:00Z'::timestamptz + make_interval(hours => number % 87600),
           '2016-01-01T00:00:00Z'::timestamptz + make_interval(hours => number % 87600) + interval '30 days',
           CASE WHEN number % 10 = 0 THEN 'paypal' ELSE 'Card' END, CASE WHEN number % 3 = 0 THEN 'Failed' ELSE 'Processing' END,
           'USD', 2, 0, (number % 10000) / 100.0, 0, (number % 10000) / 100.0,
           '[{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"12000","currency":"USD","amount":48}]',
           ${buyerSnapshot(owner, owner`${companyId}`)}, ${sellerSnapshot(owner)}
    FROM generate_series(1, ${count}) AS number, billing_information AS billing
    WHERE billing.company_id = ${companyId}`;
  await owner`
    INSERT INTO payments (company_id, id, invoice_id, method, gateway, amount_minor, currency, state)
    SELECT company_id, gen_random_uuid(), id, method, 'sandbox', (total * 100)::bigint, currency, 'captured'
    FROM invoices WHERE company_id = ${companyId} AND status = 'Processing' AND right(number, 1) IN ('1', '4', '7')`;
  await owner`
    UPDATE invoices SET status = 'Succeeded', payment_id = payments.id
    FROM payments
    WHERE payments.company_id = ${companyId} AND invoices.company_id = ${companyId} AND payments.invoice_id = invoices.id`;
  await owner`VACUUM ANALYZE invoices`;
  await owner`VACUUM ANALYZE payments`;
}

/** What the service is asked with. */
export function bearer({ token }: Company): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A company that can pay: with an address and a default card, by the API. */
export async function seedPayer(setting: Setting): Promise<Company> {
  const company = await seedCompany(setting);
  const paydesk = connectClient(setting, company);
  const { id: addressId } = await paydesk.addresses.create({ streetAddress: '12 St James Square', country: 'GB' });
  const expYear = new Date().getUTCFullYear() + 3;
  const info = { cardName: 'Ada', cardNumber: '4242424242424242', expMonth: 12, expYear, cvv: '123', country: 'GB' };
  await paydesk.cards.create({ addressId, isDefault: true, info });
  return company;
}

export type UnpaidInvoice = { companyId: string; id: string };

/**
 * So many invoices of 48.00 for each of the companies, straight into the table, due in so many days. In the order in which two that
 * follow each other are of different companies.
 */
export async function seedUnpaidInvoices(
  { owner }: Setting,
  companyIds: readonly string[],
  { each, dueInDays }: { each: number; dueInDays: number },
): Promise<UnpaidInvoice[]> {
  const prefix = randomUUID().slice(0, 8).toUpperCase();
  const invoices = await owner<UnpaidInvoice[]>`
    INSERT INTO invoices (company_id, id, number, bill_to_id, start_at, end_at, method, currency, minor_unit_digits, tax_rate,
                          sub_total, tax, total, details, buyer, seller, due_at)
    SELECT billing.company_id, uuidv7(), 'INV-' || ${prefix}::text || number, billing.id, '2026-01-01T00:00:00Z',
           '2026-02-01T00:00:00Z', 'Card', 'USD', 2, 20, 40, 8, 48,
           '[{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"12000","currency":"USD","amount":40}]',
           ${buyerSnapshot(owner, owner`billing.company_id`)}, ${sellerSnapshot(owner)}, now() + make_interval(days => ${dueInDays})
    FROM generate_series(1, ${each}) AS number, billing_information AS billing
    WHERE billing.company_id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[])
    ORDER BY number, billing.company_id
    RETURNING company_id AS "companyId", id`;
  for (const table of ['invoices', 'collections', 'ledger_postings', 'payments', 'events']) {
    await owner.unsafe(`VACUUM ANALYZE ${table}`);
  }
  return invoices;
}
