import type { Db } from '../server/src/platform/database/database.ts';

const INVOICES_A_COMPANY = 100;
/** An id that sorts by its number, as ids sort by time. */
const id = (kind: number | string, number: string) =>
  `('0190000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
const COMPANY = `(n % companies)`;
/** Within so long, evenly. */
const RECENTLY = (time: string) => `(now() - n * interval '${time}' / invoices)`;
/** The months of eight years from 2016 on, evenly. */
const TIME = `('2016-01-01T00:00Z'::timestamptz + n * 96 / (invoices + 1) * interval '1 month')`;

/**
 * So many invoices of a hundred companies each, with payments, credit notes, refunds, collections, postings, events and billed periods,
 * straight into the tables:
 * what triggers would have written stands here too. Of 500, one has failed; of 50, one waits
 * for tomorrow: its payment and its refund for the gateway, its collection for the next attempt, its event for the webhook's endpoint.
 * What is kept for a time only is all from within that time.
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
       tax_rate, sub_total, tax, total, details, buyer, seller, created_at, due_at)
     SELECT ${id(1, COMPANY)}, ${id(4, 'n')}, 'INV-' || lpad((n / companies)::text, 6, '0'), ${id(3, COMPANY)}, ${TIME},
       ${TIME} + interval '30 days', 'Card', state, CASE WHEN state = 'Succeeded' THEN ${id(5, 'n')} END, 'USD', 2, 0, 48, 0, 48,
       '[]', '{}', '{}', ${TIME}, ${TIME} + n % 700 * interval '1 hour'
     ${eachInvoice} CROSS JOIN LATERAL (
       SELECT CASE WHEN n % 50 = 0 THEN 'Processing' WHEN n % 500 = 1 THEN 'Failed' ELSE 'Succeeded' END AS state) AS states`,
    `INSERT INTO invoice_counts (company_id, status, method, invoices, changes)
     SELECT company_id, status, method, count(*), 0 FROM invoices GROUP BY 1, 2, 3`,
    `INSERT INTO invoice_sums (currency, minor_unit_digits, due_on, failed, invoices, amount)
     SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', count(*),
       coalesce(sum(total) FILTER (WHERE due_on > '-infinity'), 0)
     FROM invoices CROSS JOIN LATERAL open_until(status, voided_at, credited_total, total, due_at) AS due_on GROUP BY 1, 2, 3, 4`,
    `INSERT INTO payments (company_id, id, invoice_id, method, gateway, amount_minor, currency, state, failure_reason,
       reconcile_at, reconcile_count, last_reconciled_at, created_at)
     SELECT ${id(1, COMPANY)}, ${id(5, 'n')}, ${id(4, 'n')}, 'Card', 'sandbox', 4800, 'USD',
       CASE WHEN n % 500 = 1 THEN 'failed' WHEN n % 50 = 0 THEN 'unknown' ELSE 'captured' END, CASE n % 500 WHEN 1 THEN 'declined' END,
       CASE n % 50 WHEN 0 THEN now() + interval '1 day' END, CASE n % 50 WHEN 0 THEN 9 ELSE 0 END,
       CASE n % 50 WHEN 0 THEN now() - interval '1 hour' END, ${TIME} ${eachInvoice}`,
    `INSERT INTO credit_notes (company_id, id, number, invoice_id, reason, details, sub_total, tax, total, after_payment, created_at)
     SELECT ${id(1, COMPANY)}, ${id(9, 'n')}, 'CN-' || lpad((n / companies)::text, 6, '0'), ${id(4, 'n')}, 'Seeded', '[]', 10, 0, 10,
       true, ${TIME} ${eachInvoice} WHERE n % 3 > 0`,
    `INSERT INTO refunds (company_id, id, payment_id, invoice_id, credit_note_id, gateway, amount_minor, credit_minor, currency, reason,
       state, gateway_refund_id, reconcile_at, created_at, updated_at)
     SELECT ${id(1, COMPANY)}, ${id('a', 'n')}, ${id(5, 'n')}, ${id(4, 'n')}, ${id(9, 'n')}, 'sandbox', 1000, 0, 'USD', 'Seeded',
       CASE WHEN n % 500 = 2 THEN 'needs_review' WHEN n % 50 = 4 THEN 'unknown' ELSE 'succeeded' END, 'refund_' || n,
       CASE n % 50 WHEN 4 THEN now() + interval '1 day' END, ${TIME}, ${TIME} ${eachInvoice} WHERE n % 3 > 0`,
    `INSERT INTO row_counts (table_name, shard, counted)
     SELECT 'payments', 1, count(*) FROM payments UNION ALL SELECT 'refunds', 1, count(*) FROM refunds
     UNION ALL SELECT 'credit_notes', 1, count(*) FROM credit_notes`,
    `INSERT INTO collections (company_id, invoice_id, due_at, state, next_attempt_at, gateway)
     SELECT ${id(1, COMPANY)}, ${id(4, 'n')}, ${TIME}, 
       CASE WHEN n % 500 = 1 THEN 'exhausted' WHEN n % 50 = 0 THEN 'scheduled' ELSE 'closed' END,
       CASE n % 50 WHEN 0 THEN now() + interval '1 day' END, 'sandbox' ${eachInvoice}`,
    `INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id, created_at)
     SELECT ${id(1, COMPANY)}, ${id(4, 'n')}, kind, account, 'USD', amount, ${id(4, 'n')}, ${TIME}
     ${eachInvoice} CROSS JOIN (VALUES ('invoice_issued', 'receivable', 4800), ('invoice_issued', 'revenue', -4800),
       ('payment_captured', 'cash:sandbox', 4800), ('payment_captured', 'receivable', -4800)) AS entries (kind, account, amount)`,
    `INSERT INTO billing_runs (id, period, status, started_at, finished_at, invoices)
     SELECT ${id(7, 'n')}, to_char('2016-01-01'::date + n * interval '1 month', 'YYYY-MM'), 'done', now(), now(), 0
     FROM generate_series(0, 95) AS n`,
    `INSERT INTO billed_periods (company_id, period, run_id, currency, tax_rate, late_usage_kind, start_at, end_at, cutoff)
     SELECT ${id(1, 'n')}, period, billing_runs.id, 'USD', 0, 'next_invoice', (period || '-01Z')::timestamptz,
       (period || '-01Z')::timestamptz + interval '1 month', 1
     ${eachCompany}, billing_runs`,
    ...statementsBeside(eachInvoice, eachCompany),
  ];
  const indexes = await owner<{ name: string; definition: string }[]>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;
  // Sorting all entries of an index at once takes a fraction of the time of adding them one by one.
  for (const { name } of indexes) await owner.unsafe(`DROP INDEX ${name}`);
  await owner`SET session_replication_role = replica`;
  for (const statement of statements) await owner.unsafe(statement);
  await owner`RESET session_replication_role`;
  for (const { definition } of indexes) await owner.unsafe(definition);
  await owner`VACUUM ANALYZE`;
  return { companies };
}

/** What is no money: events, alerts, items, webhooks, and what is kept for a time only. */
function statementsBeside(eachInvoice: string, eachCompany: string): string[] {
  return [
    `INSERT INTO events (company_id, id, type, data, created_at)
     SELECT ${id(1, COMPANY)}, ${id(6, 'n')},
       (ARRAY['invoice.created', 'payment.started', 'payment.captured', 'invoice.succeeded', 'card.created'])[1 + n % 5], '{}',
       ${RECENTLY('80 days')} ${eachInvoice}`,
    `INSERT INTO alerts (company_id, id, kind, payment_id, message, acknowledged_at, created_at)
     SELECT ${id(1, COMPANY)}, ${id(8, 'n')}, 'amount_mismatch', ${id(5, 'n')}, 'Seeded', now(), ${TIME} ${eachInvoice} WHERE n % 100 = 2`,
    `INSERT INTO items (company_id, id, title, unit_amount, quantity, amount, currency, minor_unit_digits, invoice_id)
     SELECT ${id(1, COMPANY)}, ${id('c', 'n')}, 'Seeded', 1, 1, 1, 'USD', 2, CASE n % 50 WHEN 0 THEN NULL ELSE ${id(4, 'n')} END
     ${eachInvoice} WHERE n % 10 = 0`,
    `INSERT INTO webhook_endpoints (company_id, id, url, description, types, secret)
     SELECT ${id(1, 'n')}, ${id('b', 'n')}, 'http://127.0.0.1:9/', '', '{}', '\\x00' ${eachCompany}`,
    `INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, state, next_attempt_at, created_at)
     SELECT ${id(1, COMPANY)}, ${id('b', COMPANY)}, ${id(6, 'n')}, ${id(4, 'n')}, CASE n % 50 WHEN 0 THEN 'pending' ELSE 'delivered' END,
       CASE n % 50 WHEN 0 THEN now() + interval '1 day' END, ${RECENTLY('80 days')} ${eachInvoice}`,
    `INSERT INTO webhook_attempts (company_id, id, endpoint_id, event, try, status, duration_ms, response, created_at)
     SELECT ${id(1, COMPANY)}, ${id('d', 'n')}, ${id('b', COMPANY)}, ${id(6, 'n')}, 1, 200, 10, '', ${RECENTLY('80 days')} ${eachInvoice}`,
    `INSERT INTO gateway_notices (gateway, id, type, outcome, received_at)
     SELECT 'sandbox', 'notice_' || n, 'payment', 'settled', ${RECENTLY('20 days')} ${eachInvoice}`,
    `INSERT INTO idempotency_keys (company_id, method, path, key, request_hash, status, body, created_at)
     SELECT ${id(1, COMPANY)}, 'POST', '/payments', 'key_' || n, '\\x00', 200, '{}', ${RECENTLY('20 hours')}
     ${eachInvoice} WHERE n % 50 = 0`,
    `INSERT INTO sessions (id, user_id, expires_at) SELECT ${id('e', 'n')}, ${id(2, 'n')}, now() + interval '1 day' ${eachCompany}`,
    `INSERT INTO charges_holds (id, reason, begun_at, ended_at) VALUES (${id(1, '0')}, 'Seeded', now(), now())`,
    // The last tenth is open.
    `INSERT INTO recovery_cases (company_id, id, hold_id, source, kind, gateway, object_id, happened_at, content, state)
     SELECT ${id(1, COMPANY)}, ${id(2, 'n')}, ${id(1, '0')}, 'gateway', 'payment', 'sandbox', 'payment_' || n, ${TIME},
       '{"currency":"USD","details":"' || repeat('x', 1000) || '"}', CASE WHEN n > invoices * 9 / 10 THEN 'open' ELSE 'person' END
     ${eachInvoice} WHERE n % 50 = 0`,
    `INSERT INTO asked_charges (company_id, payment_id, invoice_id, network, state, asked_at, id)
     SELECT ${id(1, COMPANY)}, ${id(5, 'n')}, ${id(4, 'n')}, '192.0.2.0/24', 'refused', ${RECENTLY('90 minutes')}, ${id('f', 'n')}
     ${eachInvoice} WHERE n % 1000 = 1`,
  ];
}
