import { randomUUID } from 'node:crypto';
import type { Setting } from './setting.ts';

export const PASSWORD = 'Correct-horse-7';

export type Company = { companyId: string; userId: string; token: string; email: string };

/** A company with an admin, by the API. */
export async function seedCompany({ serviceUrl }: Setting): Promise<Company> {
  const email = `${randomUUID()}@example.com`;
  const answer = await fetch(`${serviceUrl}/auth/signup/admin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Ada', last_name: 'Lovelace', email, password: PASSWORD }),
  });
  const { data } = (await answer.json()) as {
    data: { access_token: string; user: { id: string; company: { id: string } } };
  };
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
           buyer_snapshot(${companyId}), seller_snapshot()
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
