import type { Db } from '../server/src/database/database.ts';

const INVOICES_A_COMPANY = 100;
/** An id that sorts by its number, as ids sort by time. */
const id = (kind: number | string, number: string) =>
  `('0190000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
const COMPANY = `(n % companies)`;
/** The months of eight years from 2016 on, evenly. */
const TIME = `('2016-01-01T00:00Z'::timestamptz + n * 96 / (invoices + 1) * interval '1 month')`;

/**
 * So many invoices of a hundred companies each, with payments, credit notes, refunds, collections, postings, events and billed periods,
 * straight into the tables:
 * what triggers would have written stands here too. Of 500, one has failed, and one waits
 * for tomorrow: its payment for the gateway, its collection for the next attempt.
 */
export async function seedBooks(owner: Db, invoices: number): Promise<{ companies: number }> {
  const companies = Math.ceil(invoices / INVOICES_A_COMPANY);
  const rows = (from: string) =>
    `FROM (SELECT ${invoices}::bigint AS invoices, ${companies}::bigint AS companies) AS sizes, ${from}`;
  const eachInvoice = rows(`generate_series(1::bigint, ${invoices}) AS n`);
  const eachCompany = rows(`generate_series(0::bigint, ${companies - 1}) AS n`);
  const statements = [
    `INSERT INTO companies (id, created_at) SELECT ${id(1, 'n')}, ${TIME} ${eachCompany}`,
    `INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key, password_hash)
     SELECT ${id(2, 'n')}, ${id(1, 'n')}, 'Admin', 'Ada', 'Lovelace', n || '@example.com', n || '@example.com', 'none' ${eachCompany}`,
    `INSERT INTO billing_information (company_id, id) SELECT ${id(1, 'n')}, ${id(3, 'n')} ${eachCompany}`,
    `INSERT INTO invoices (company_id, id, number, bill_to_id, start_at, end_at, method, status, payment_id, currency, minor_unit_digits,
       tax_rate, sub_total, tax, total, details, buyer, seller, created_at)
     SELECT ${id(1, COMPANY)}, ${id(4, 'n')}, 'INV-' || lpad((n / companies)::text, 6, '0'), ${id(3, COMPANY)}, ${TIME},
       ${TIME} + interval '30 days', 'Card', state, CASE WHEN state = 'Succeeded' THEN ${id(5, 'n')} END, 'USD', 2, 0, 48, 0, 48,
       '[]', '{}', '{}', ${TIME}
     ${eachInvoice} CROSS JOIN LATERAL (
       SELECT CASE n % 500 WHEN 0 THEN 'Processing' WHEN 1 THEN 'Failed' ELSE 'Succeeded' END AS state) AS states`,
    `INSERT INTO invoice_counts (company_id, status, method, invoices, changes)
     SELECT company_id, status, method, count(*), 0 FROM invoices GROUP BY 1, 2, 3`,
    `INSERT INTO payments (company_id, id, invoice_id, method, gateway, amount_minor, currency, state, failure_reason,
       reconcile_at, created_at)
     SELECT ${id(1, COMPANY)}, ${id(5, 'n')}, ${id(4, 'n')}, 'Card', 'sandbox', 4800, 'USD',
       CASE n % 500 WHEN 1 THEN 'failed' WHEN 0 THEN 'unknown' ELSE 'captured' END, CASE n % 500 WHEN 1 THEN 'declined' END,
       CASE n % 500 WHEN 0 THEN now() + interval '1 day' END, ${TIME} ${eachInvoice}`,
    `INSERT INTO credit_notes (company_id, id, number, invoice_id, reason, details, sub_total, tax, total, after_payment, created_at)
     SELECT ${id(1, COMPANY)}, ${id(9, 'n')}, 'CN-' || lpad((n / companies)::text, 6, '0'), ${id(4, 'n')}, 'Seeded', '[]', 10, 0, 10,
       true, ${TIME} ${eachInvoice} WHERE n % 3 > 0`,
    `INSERT INTO refunds (company_id, id, payment_id, invoice_id, credit_note_id, gateway, amount_minor, credit_minor, currency, reason,
       state, gateway_refund_id, created_at)
     SELECT ${id(1, COMPANY)}, ${id('a', 'n')}, ${id(5, 'n')}, ${id(4, 'n')}, ${id(9, 'n')}, 'sandbox', 1000, 0, 'USD', 'Seeded',
       CASE n % 500 WHEN 2 THEN 'needs_review' ELSE 'succeeded' END, 'refund_' || n, ${TIME} ${eachInvoice} WHERE n % 3 > 0`,
    `INSERT INTO row_counts (table_name, shard, counted)
     SELECT 'payments', 1, count(*) FROM payments UNION ALL SELECT 'refunds', 1, count(*) FROM refunds
     UNION ALL SELECT 'credit_notes', 1, count(*) FROM credit_notes`,
    `INSERT INTO collections (company_id, invoice_id, due_at, state, next_attempt_at, gateway)
     SELECT ${id(1, COMPANY)}, ${id(4, 'n')}, ${TIME}, CASE n % 500 WHEN 1 THEN 'exhausted' WHEN 0 THEN 'scheduled' ELSE 'closed' END,
       CASE n % 500 WHEN 0 THEN now() + interval '1 day' END, 'sandbox' ${eachInvoice}`,
    `INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id, created_at)
     SELECT ${id(1, COMPANY)}, ${id(4, 'n')}, kind, account, 'USD', amount, ${id(4, 'n')}, ${TIME}
     ${eachInvoice} CROSS JOIN (VALUES ('invoice_issued', 'receivable', 4800), ('invoice_issued', 'revenue', -4800),
       ('payment_captured', 'cash:sandbox', 4800), ('payment_captured', 'receivable', -4800)) AS entries (kind, account, amount)`,
    `INSERT INTO events (company_id, id, type, data, created_at)
     SELECT ${id(1, COMPANY)}, ${id(6, 'n')},
       (ARRAY['invoice.created', 'payment.started', 'payment.captured', 'invoice.succeeded', 'card.created'])[1 + n % 5], '{}',
       now() - n * interval '80 days' / invoices ${eachInvoice}`,
    `INSERT INTO billing_runs (id, period, status, started_at, finished_at, invoices)
     SELECT ${id(7, 'n')}, to_char('2016-01-01'::date + n * interval '1 month', 'YYYY-MM'), 'done', now(), now(), 0
     FROM generate_series(0, 95) AS n`,
    `INSERT INTO billed_periods (company_id, period, run_id, currency, tax_rate, late_usage_kind, start_at, end_at, cutoff)
     SELECT ${id(1, 'n')}, period, billing_runs.id, 'USD', 0, 'next_invoice', (period || '-01Z')::timestamptz,
       (period || '-01Z')::timestamptz + interval '1 month', 1
     ${eachCompany}, billing_runs`,
    `INSERT INTO alerts (company_id, id, kind, payment_id, message, acknowledged_at, created_at)
     SELECT ${id(1, COMPANY)}, ${id(8, 'n')}, 'amount_mismatch', ${id(5, 'n')}, 'Seeded', now(), ${TIME} ${eachInvoice} WHERE n % 100 = 2`,
  ];
  await owner`SET session_replication_role = replica`;
  for (const statement of statements) await owner.unsafe(statement);
  await owner`RESET session_replication_role`;
  await owner`VACUUM ANALYZE`;
  return { companies };
}
