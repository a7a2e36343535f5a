-- What a service of version 0.1.0 wrote on its baseline of migrations (0001 to 0019): two companies over three months, with payments,
-- a refusal, a credit note, a refund, a void, a dispute, usage. Loaded with session_replication_role = replica, which fires no trigger.
DO $$ BEGIN
  IF to_regclass('usage_events_2026_11') IS NULL THEN
    CREATE TABLE usage_events_2026_11 PARTITION OF usage_events FOR VALUES FROM ('2026-11-01Z') TO ('2026-12-01Z');
  END IF;
END $$;

-- What the migrations inserted.
DELETE FROM seller;
DELETE FROM usage_cutoffs;

INSERT INTO addresses (company_id, id, first_name, last_name, street_address, apt_number, state, country, zip_code, deleted_at, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d65c-711d-9298-ef71c467410d', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:43.929+00', '2026-11-22 11:30:43.929+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6d3-76c5-956e-024f51e2f80a', '', '', '', '', '', 'DE', '', NULL, '2026-11-22 11:30:44.051+00', '2026-11-22 11:30:44.051+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8f9-7182-87e3-6d19dc0d6a84', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:44.601+00', '2026-11-22 11:30:44.601+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d6a0-736d-8bda-37a48a674859', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:43.999+00', '2026-11-22 11:30:43.999+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d872-777f-848d-73c725bc1419', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:44.466+00', '2026-11-22 11:30:44.466+00');

INSERT INTO alerts (company_id, id, kind, payment_id, message, acknowledged_at, created_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'c9fd8fe7-c86c-49db-8733-c11f7d85c27d', 'dispute_opened', '01a20305-d7f9-730e-823f-91b8dafe3901', 'A dispute was opened.', NULL, '2026-11-22 11:30:44.619+00');

INSERT INTO billed_periods (company_id, period, run_id, currency, tax_rate, late_usage_kind, late_usage_days, late_after_period, start_at, end_at, cutoff, invoice_id, unpriced_paths, created_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08', '01a20305-d767-7214-af3d-cdefcce25992', 'EUR', '19', 'next_invoice', NULL, NULL, '2026-07-31 22:00:00+00', '2026-08-31 22:00:00+00', '1', '01a20305-d7a6-73ce-8741-2e8cf8db749e', NULL, '2026-11-22 11:30:44.249+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-09', '01a20305-d8a8-7182-b9fd-0073366a78a5', 'EUR', '19', 'next_invoice', NULL, '2026-08', '2026-08-31 22:00:00+00', '2026-09-30 22:00:00+00', '2', '01a20305-d8ba-7467-889a-789de60433ac', NULL, '2026-11-22 11:30:44.532+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2026-08', '01a20305-d767-7214-af3d-cdefcce25992', 'EUR', '20', 'next_invoice', NULL, NULL, '2026-07-31 22:00:00+00', '2026-08-31 22:00:00+00', '1', '01a20305-d7a5-717e-9d39-473d63144cb2', NULL, '2026-11-22 11:30:44.249+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2026-09', '01a20305-d8a8-7182-b9fd-0073366a78a5', 'EUR', '20', 'next_invoice', NULL, '2026-08', '2026-08-31 22:00:00+00', '2026-09-30 22:00:00+00', '2', NULL, NULL, '2026-11-22 11:30:44.532+00');

INSERT INTO billing_information (company_id, id, first_name, last_name, phone_number, country, address, zip_code, province, city, organization, tax_id, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d5ef-7168-98b6-29c0e19e91f9', '', '', '', '', '', '', '', '', 'Acme GmbH', '', '2026-11-22 11:30:43.822+00', '2026-11-22 11:30:43.864+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d689-7100-a4c7-ca691a724f39', '', '', '', '', '', '', '', '', 'Bolt SARL', '', '2026-11-22 11:30:43.977+00', '2026-11-22 11:30:43.985+00');

INSERT INTO billing_runs (id, period, status, without_grace, next_pass_at, companies, done, passes, as_of, cutoff, pass_companies, pass_done, last_company_id, failures, lease, leased_until, started_at, finished_at, created_at) VALUES
  ('01a20305-d767-7214-af3d-cdefcce25992', '2026-08', 'done', 'true', NULL, '2', '2', '1', '2026-09-02 12:00:00+00', '1', '2', '2', '01a20305-d688-726b-b631-0312dd084a45', '0', NULL, NULL, '2026-11-22 11:30:44.225+00', '2026-11-22 11:30:44.292+00', '2026-11-22 11:30:44.198+00'),
  ('01a20305-d8a8-7182-b9fd-0073366a78a5', '2026-09', 'done', 'true', NULL, '2', '2', '1', '2026-10-02 12:00:00+00', '2', '2', '2', '01a20305-d688-726b-b631-0312dd084a45', '0', NULL, NULL, '2026-11-22 11:30:44.526+00', '2026-11-22 11:30:44.545+00', '2026-11-22 11:30:44.52+00');

INSERT INTO cards (company_id, id, address_id, method, is_default, country, exp_month, exp_year, card_name, brand, first_four, last_four, number_length, fingerprint, fingerprint_key_version, gateway, gateway_token, metadata, deleted_at, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d677-7596-acbe-1c622e565c49', '01a20305-d65c-711d-9298-ef71c467410d', 'Card', 'false', 'GB', '12', '2029', 'Ada Lovelace', 'visa', '4242', '4242', '16', E'\\xb7acbc0cb9a4f61c4fa926ec93ae27f6065dfb0dbe8d9676318b007f8e473225', '1', 'sandbox', 'sandbox_card_1', '{}', NULL, '2026-11-22 11:30:43.958+00', '2026-11-22 11:30:43.958+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d6a8-7177-ba93-69af3b881920', '01a20305-d6a0-736d-8bda-37a48a674859', 'Card', 'false', 'GB', '12', '2029', 'Ada Lovelace', 'visa', '4242', '4242', '16', E'\\xb7acbc0cb9a4f61c4fa926ec93ae27f6065dfb0dbe8d9676318b007f8e473225', '1', 'sandbox', 'sandbox_card_2', '{}', NULL, '2026-11-22 11:30:44.007+00', '2026-11-22 11:30:44.007+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d878-75a8-a443-a600c027578f', '01a20305-d872-777f-848d-73c725bc1419', 'Card', 'true', 'GB', '12', '2029', 'Ada Lovelace', 'visa', '4000', '0002', '16', E'\\x831fe33031d9fb16f81d4fbb12fa4f36ccd90997114e30595aee8b512a446539', '1', 'sandbox', 'sandbox_card_3', '{}', NULL, '2026-11-22 11:30:44.472+00', '2026-11-22 11:30:44.472+00');

INSERT INTO collections (company_id, invoice_id, due_at, state, next_attempt_at, gateway, attempts, card_id, declines, outages, payment_id, lease, leased_until, updated_at, paypal_account_id) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '2026-09-02 12:00:00+00', 'scheduled', '2026-09-02 12:00:00+00', 'sandbox', '0', NULL, '0', '0', NULL, NULL, NULL, '2026-11-22 11:30:44.249+00', NULL),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8ba-7467-889a-789de60433ac', '2026-10-02 12:00:00+00', 'scheduled', '2026-10-02 12:00:00+00', 'sandbox', '0', NULL, '0', '0', NULL, NULL, NULL, '2026-11-22 11:30:44.532+00', NULL),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8de-709b-a288-9f165530f703', '2026-10-02 12:00:00+00', 'scheduled', '2026-10-02 12:00:00+00', 'sandbox', '0', NULL, '0', '0', NULL, NULL, NULL, '2026-11-22 11:30:44.56+00', NULL),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d7a5-717e-9d39-473d63144cb2', '2026-09-02 12:00:00+00', 'scheduled', '2026-09-02 12:00:00+00', 'sandbox', '0', NULL, '0', '0', NULL, NULL, NULL, '2026-11-22 11:30:44.249+00', NULL),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d8ef-71f6-bbdb-f631456ae80e', '2026-10-02 12:00:00+00', 'scheduled', '2026-10-02 12:00:00+00', 'sandbox', '0', NULL, '0', '0', NULL, NULL, NULL, '2026-11-22 11:30:44.591+00', NULL);

INSERT INTO companies (id, name, phone, address, describe, email, created_at, updated_at, billing_currency, tax_rate, exempt_with_tax_id, timezone, late_usage_kind, late_usage_days, invoice_grace_hours, collection, net_days, dunning_days) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '', '', '', '', '', '2026-11-22 11:30:43.822+00', '2026-11-22 11:30:43.899+00', 'EUR', '19', 'false', 'Europe/Berlin', 'next_invoice', NULL, '24', 'by_card', '0', '[2, 5, 7, 7]'),
  ('01a20305-d688-726b-b631-0312dd084a45', '', '', '', '', '', '2026-11-22 11:30:43.977+00', '2026-11-22 11:30:43.991+00', 'EUR', '20', 'false', 'Europe/Paris', 'next_invoice', NULL, '24', 'by_card', '0', '[2, 5, 7, 7]');

INSERT INTO credit_balances (company_id, currency, balance_minor, entries) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'EUR', '0', '2');

INSERT INTO credit_entries (company_id, id, number, kind, amount_minor, balance_minor, currency, reason, payment_id, created_at, refund_id, carried_tax_minor) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d756-7352-aea6-4867ba8f6d2c', '1', 'grant', '5000', '5000', 'EUR', 'Goodwill', NULL, '2026-11-22 11:30:44.18+00', NULL, NULL),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7fa-770c-95a1-43f8e8c5c783', '2', 'consumption', '-5000', '0', 'EUR', '', '01a20305-d7f9-730e-823f-91b8dafe3901', '2026-11-22 11:30:44.338+00', NULL, NULL);

INSERT INTO credit_note_numbers (company_id, last_number) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '1');

INSERT INTO credit_notes (company_id, id, number, invoice_id, reason, details, sub_total, tax, total, after_payment, created_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d838-72b0-acb4-cebfe29cbab7', 'CN-000001', '01a20305-d7a6-73ce-8741-2e8cf8db749e', 'Outage', '[]', '84.0300', '15.9700', '100.0000', 'true', '2026-11-22 11:30:44.404+00');

INSERT INTO dispute_movements (company_id, id, dispute_id, kind, amount_minor, gateway_movement_id, created_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '1afb46a3-a1b7-46f4-b5fe-24196e4d4081', 'be6241fc-1ef8-40f4-b831-8e62e830e419', 'withdrawn', '1000', 'movement-1', '2026-11-22 11:30:44.613+00');

INSERT INTO disputes (company_id, id, payment_id, invoice_id, gateway, gateway_dispute_id, state, amount_minor, currency, reason, withdrawn_minor, look, opened_at, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'be6241fc-1ef8-40f4-b831-8e62e830e419', '01a20305-d7f9-730e-823f-91b8dafe3901', '01a20305-d7a6-73ce-8741-2e8cf8db749e', 'sandbox', 'dispute-1', 'under_review', '1000', 'EUR', 'fraudulent', '1000', '1', '2026-11-22 11:30:44.61+00', '2026-11-22 11:30:44.61+00', '2026-11-22 11:30:44.61+00');

INSERT INTO events (company_id, id, type, data, created_at) VALUES
  ('00000000-0000-0000-0000-000000000000', 'c9fd8fe7-c86c-49db-8733-c11f7d85c27d', 'alert.created', '{"id" : "c9fd8fe7-c86c-49db-8733-c11f7d85c27d", "companyId" : "01a20305-d5ee-71cc-b669-63c221ed1a01", "kind" : "dispute_opened", "paymentId" : "01a20305-d7f9-730e-823f-91b8dafe3901", "invoiceId" : "01a20305-d7a6-73ce-8741-2e8cf8db749e", "message" : "A dispute was opened.", "acknowledgedAt" : null, "createdAt" : "2026-11-22T11:30:44.619Z"}', '2026-11-22 11:30:44.619+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6ba-7393-8a53-11655e0a6585', 'label.created', '{"id" : "01a20305-d6ba-7393-8a53-0c7aad33cc97", "companyId" : "01a20305-d5ee-71cc-b669-63c221ed1a01", "userId" : "01a20305-d5f0-7248-b15c-703f84573014", "createdBy" : "Ada Lovelace", "updatedBy" : "Ada Lovelace", "name" : "Invoices", "description" : "A label", "color" : "#336699", "createdAt" : "2026-11-22T11:30:44.027Z", "updatedAt" : "2026-11-22T11:30:44.027Z"}', '2026-11-22 11:30:44.027+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6c7-708c-9c65-eca841a11697', 'label.created', '{"id" : "01a20305-d6c7-708c-9c65-e84009c2a5d8", "companyId" : "01a20305-d5ee-71cc-b669-63c221ed1a01", "userId" : "01a20305-d5f0-7248-b15c-703f84573014", "createdBy" : "Ada Lovelace", "updatedBy" : "Ada Lovelace", "name" : "Straße", "description" : "A label", "color" : "#336699", "createdAt" : "2026-11-22T11:30:44.040Z", "updatedAt" : "2026-11-22T11:30:44.040Z"}', '2026-11-22 11:30:44.04+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6ce-748b-af7c-d8495c4ac010', 'label.created', '{"id" : "01a20305-d6ce-748b-af7c-d60371858fd9", "companyId" : "01a20305-d5ee-71cc-b669-63c221ed1a01", "userId" : "01a20305-d5f0-7248-b15c-703f84573014", "createdBy" : "Ada Lovelace", "updatedBy" : "Ada Lovelace", "name" : "ıstanbul", "description" : "A label", "color" : "#336699", "createdAt" : "2026-11-22T11:30:44.047Z", "updatedAt" : "2026-11-22T11:30:44.047Z"}', '2026-11-22 11:30:44.047+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d854-70b3-9deb-d26b0cf82ff1', 'refund.created', '{"id":"01a20305-d850-7523-87db-a82e0c1cbd81","companyId":"01a20305-d5ee-71cc-b669-63c221ed1a01","paymentId":"01a20305-d7f9-730e-823f-91b8dafe3901","invoiceId":"01a20305-d7a6-73ce-8741-2e8cf8db749e","creditNoteId":null,"amount":"25.00","cardAmount":"25.00","creditAmount":"0.00","currency":"EUR","reason":"Outage","source":"operator","status":"Processing","createdAt":"2026-11-22T11:30:44.427Z","updatedAt":"2026-11-22T11:30:44.427Z"}', '2026-11-22 11:30:44.427+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8ea-76ce-96ec-be612703e5d2', 'invoice.voided', '{"id" : "01a20305-d8de-709b-a288-9f165530f703", "companyId" : "01a20305-d5ee-71cc-b669-63c221ed1a01", "number" : "INV-000003", "billToId" : "01a20305-d5ef-7168-98b6-29c0e19e91f9", "paymentId" : null, "startAt" : "2026-10-01T00:00:00.000Z", "endAt" : "2026-11-01T00:00:00.000Z", "method" : "Card", "status" : "Processing", "currency" : "USD", "taxRate" : "0", "details" : [{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"12000","currency":"USD","amount":48}], "subTotal" : "48.00", "tax" : "0.00", "total" : "48.00", "metadata" : null, "creditedTotal" : "0.00", "refundedTotal" : "0.00", "voidedAt" : "2026-11-22T11:30:44.584Z", "dueAt" : "2026-10-02T12:00:00.000Z", "createdAt" : "2026-11-22T11:30:44.560Z", "updatedAt" : "2026-11-22T11:30:44.584Z"}', '2026-11-22 11:30:44.584+00');

INSERT INTO idempotency_keys (company_id, method, path, key, request_hash, status, body, locked_until, created_at) VALUES
  ('00000000-0000-0000-0000-000000000000', 'POST', '/operator/payments/01a20305-d7f9-730e-823f-91b8dafe3901/refunds', '79b924ec-c496-41bd-b7a9-55c45e4d0a62', E'\\x89277ff08eca515d7541854e589b71d0acccf1b6d540c264dfb284dc34a4f08c', '201', '{"id":"01a20305-d850-7523-87db-a82e0c1cbd81","companyId":"01a20305-d5ee-71cc-b669-63c221ed1a01","paymentId":"01a20305-d7f9-730e-823f-91b8dafe3901","invoiceId":"01a20305-d7a6-73ce-8741-2e8cf8db749e","creditNoteId":null,"amount":"25.00","cardAmount":"25.00","creditAmount":"0.00","currency":"EUR","reason":"Outage","source":"operator","status":"Succeeded","createdAt":"2026-11-22T11:30:44.427Z","updatedAt":"2026-11-22T11:30:44.441Z"}', NULL, '2026-11-22 11:30:44.425+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'POST', '/payments/addresses', 'address-hamburg', E'\\x85a82ce5af8b8643735b7b7a5cc2bab5cc0037cf8801d40494c5e27cf1f6f742', '201', '{"id":"01a20305-d8f9-7182-87e3-6d19dc0d6a84","companyId":"01a20305-d5ee-71cc-b669-63c221ed1a01","firstName":"","lastName":"","streetAddress":"","aptNumber":"","state":"","country":"","zipCode":"","createdAt":"2026-11-22T11:30:44.601Z","updatedAt":"2026-11-22T11:30:44.601Z"}', NULL, '2026-11-22 11:30:44.601+00');

INSERT INTO invoice_counts (company_id, status, method, invoices, changes) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'Processing', 'Card', '2', '6'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'Succeeded', 'Card', '1', '5'),
  ('01a20305-d688-726b-b631-0312dd084a45', 'Failed', 'Card', '1', '1'),
  ('01a20305-d688-726b-b631-0312dd084a45', 'Processing', 'Card', '1', '3');

INSERT INTO invoice_numbers (company_id, last_number) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '3'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2');

INSERT INTO invoices (company_id, id, number, bill_to_id, payment_id, start_at, end_at, method, status, currency, minor_unit_digits, tax_rate, sub_total, tax, total, details, metadata, created_at, updated_at, credit_used, buyer, seller, voided_at, credited_total, due_at, refunded_total) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7a6-73ce-8741-2e8cf8db749e', 'INV-000001', '01a20305-d5ef-7168-98b6-29c0e19e91f9', '01a20305-d7f9-730e-823f-91b8dafe3901', '2026-07-31 22:00:00+00', '2026-08-31 22:00:00+00', 'Card', 'Succeeded', 'EUR', '2', '19', '790.0000', '150.1000', '940.1000', '[{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"120000","currency":"EUR","amount":600,"kind":"usage","priceId":"01a20305-d5d2-7466-81c0-c8502e7fbf03"},{"title":"Translation","path":"/v1/translations","totalRequest":"20000","currency":"EUR","amount":190,"kind":"usage","priceId":"01a20305-d5e3-77df-a44c-fe87c6e8cf4d"}]', NULL, '2026-11-22 11:30:44.249+00', '2026-11-22 11:30:44.441+00', '50.0000', '{"organization" : "Acme GmbH", "firstName" : "", "lastName" : "", "address" : "", "zipCode" : "", "city" : "", "province" : "", "country" : "", "taxId" : "", "email" : "ab873729-34a7-4fae-b6c5-bae0616c3629@example.com", "timezone" : "Europe/Berlin"}', '{"name" : "Speech Services Ltd", "addressLines" : [], "taxId" : "GB123456789", "email" : "", "footerText" : ""}', NULL, '100.0000', '2026-09-02 12:00:00+00', '25.0000'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8ba-7467-889a-789de60433ac', 'INV-000002', '01a20305-d5ef-7168-98b6-29c0e19e91f9', NULL, '2026-08-31 22:00:00+00', '2026-09-30 22:00:00+00', 'Card', 'Processing', 'EUR', '2', '19', '5.0400', '0.9600', '6.0000', '[{"title":"Speech to text (late usage of 2026-08)","path":"/v1/transcriptions","totalRequest":"7","currency":"EUR","amount":0.04,"kind":"adjustment","priceId":"01a20305-d5d2-7466-81c0-c8502e7fbf03","period":{"startAt":"2026-07-31T22:00:00.000Z","endAt":"2026-08-31T22:00:00.000Z"}},{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"1000","currency":"EUR","amount":5,"kind":"usage","priceId":"01a20305-d5d2-7466-81c0-c8502e7fbf03"}]', NULL, '2026-11-22 11:30:44.532+00', '2026-11-22 11:30:44.532+00', '0.0000', '{"organization" : "Acme GmbH", "firstName" : "", "lastName" : "", "address" : "", "zipCode" : "", "city" : "", "province" : "", "country" : "", "taxId" : "", "email" : "ab873729-34a7-4fae-b6c5-bae0616c3629@example.com", "timezone" : "Europe/Berlin"}', '{"name" : "Speech Services Ltd", "addressLines" : [], "taxId" : "GB123456789", "email" : "", "footerText" : ""}', NULL, '0.0000', '2026-10-02 12:00:00+00', '0.0000'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8de-709b-a288-9f165530f703', 'INV-000003', '01a20305-d5ef-7168-98b6-29c0e19e91f9', NULL, '2026-10-01 00:00:00+00', '2026-11-01 00:00:00+00', 'Card', 'Processing', 'USD', '2', '0', '48.0000', '0.0000', '48.0000', '[{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"12000","currency":"USD","amount":48}]', NULL, '2026-11-22 11:30:44.56+00', '2026-11-22 11:30:44.584+00', '0.0000', '{"organization" : "Acme GmbH", "firstName" : "", "lastName" : "", "address" : "", "zipCode" : "", "city" : "", "province" : "", "country" : "", "taxId" : "", "email" : "ab873729-34a7-4fae-b6c5-bae0616c3629@example.com", "timezone" : "Europe/Berlin"}', '{"name" : "Speech Services Ltd", "addressLines" : [], "taxId" : "GB123456789", "email" : "", "footerText" : ""}', '2026-11-22 11:30:44.584+00', '0.0000', '2026-10-02 12:00:00+00', '0.0000'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d7a5-717e-9d39-473d63144cb2', 'INV-000001', '01a20305-d689-7100-a4c7-ca691a724f39', NULL, '2026-07-31 22:00:00+00', '2026-08-31 22:00:00+00', 'Card', 'Failed', 'EUR', '2', '20', '2.5000', '0.5000', '3.0000', '[{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"500","currency":"EUR","amount":2.5,"kind":"usage","priceId":"01a20305-d5d2-7466-81c0-c8502e7fbf03"}]', NULL, '2026-11-22 11:30:44.249+00', '2026-11-22 11:30:44.497+00', '0.0000', '{"organization" : "Bolt SARL", "firstName" : "", "lastName" : "", "address" : "", "zipCode" : "", "city" : "", "province" : "", "country" : "", "taxId" : "", "email" : "1a264e2d-cfc5-4221-9c5a-c897b8cfd705@example.com", "timezone" : "Europe/Paris"}', '{"name" : "Speech Services Ltd", "addressLines" : [], "taxId" : "GB123456789", "email" : "", "footerText" : ""}', NULL, '0.0000', '2026-09-02 12:00:00+00', '0.0000'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d8ef-71f6-bbdb-f631456ae80e', 'INV-000002', '01a20305-d689-7100-a4c7-ca691a724f39', NULL, '2026-10-01 00:00:00+00', '2026-11-01 00:00:00+00', 'Card', 'Processing', 'USD', '2', '0', '48.0000', '0.0000', '48.0000', '[{"title":"Speech to text","path":"/v1/transcriptions","totalRequest":"12000","currency":"USD","amount":48}]', NULL, '2026-11-22 11:30:44.591+00', '2026-11-22 11:30:44.591+00', '0.0000', '{"organization" : "Bolt SARL", "firstName" : "", "lastName" : "", "address" : "", "zipCode" : "", "city" : "", "province" : "", "country" : "", "taxId" : "", "email" : "1a264e2d-cfc5-4221-9c5a-c897b8cfd705@example.com", "timezone" : "Europe/Paris"}', '{"name" : "Speech Services Ltd", "addressLines" : [], "taxId" : "GB123456789", "email" : "", "footerText" : ""}', NULL, '0.0000', '2026-10-02 12:00:00+00', '0.0000');

INSERT INTO label_counts (company_id, shard, labels, changes) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '12', '1', '1'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '13', '2', '2');

INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6ba-7393-8a53-0c7aad33cc97', '01a20305-d5f0-7248-b15c-703f84573014', 'Ada Lovelace', 'Ada Lovelace', 'Invoices', 'A label', '#336699', '2026-11-22 11:30:44.027+00', '2026-11-22 11:30:44.027+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6c7-708c-9c65-e84009c2a5d8', '01a20305-d5f0-7248-b15c-703f84573014', 'Ada Lovelace', 'Ada Lovelace', 'Straße', 'A label', '#336699', '2026-11-22 11:30:44.04+00', '2026-11-22 11:30:44.04+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6ce-748b-af7c-d60371858fd9', '01a20305-d5f0-7248-b15c-703f84573014', 'Ada Lovelace', 'Ada Lovelace', 'ıstanbul', 'A label', '#336699', '2026-11-22 11:30:44.047+00', '2026-11-22 11:30:44.047+00');

INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id, number, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d756-7352-aea6-4867ba8f6d2c', 'credit_granted', 'credit', 'EUR', '-5000', NULL, '1', '2026-11-22 11:30:44.18+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d756-7352-aea6-4867ba8f6d2c', 'credit_granted', 'goodwill', 'EUR', '5000', NULL, '2', '2026-11-22 11:30:44.18+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7a6-73ce-8741-2e8cf8db749e', 'invoice_issued', 'receivable', 'EUR', '94010', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '3', '2026-11-22 11:30:44.249+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7a6-73ce-8741-2e8cf8db749e', 'invoice_issued', 'revenue', 'EUR', '-79000', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '4', '2026-11-22 11:30:44.249+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7a6-73ce-8741-2e8cf8db749e', 'invoice_issued', 'tax', 'EUR', '-15010', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '5', '2026-11-22 11:30:44.249+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7f9-730e-823f-91b8dafe3901', 'payment_captured', 'cash:sandbox', 'EUR', '89010', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '11', '2026-11-22 11:30:44.364+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7f9-730e-823f-91b8dafe3901', 'payment_captured', 'receivable', 'EUR', '-89010', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '12', '2026-11-22 11:30:44.364+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7fa-770c-95a1-43f8e8c5c783', 'credit_consumed', 'credit', 'EUR', '5000', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '9', '2026-11-22 11:30:44.338+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7fa-770c-95a1-43f8e8c5c783', 'credit_consumed', 'receivable', 'EUR', '-5000', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '10', '2026-11-22 11:30:44.338+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d838-72b0-acb4-cebfe29cbab7', 'credit_note_issued', 'refunds_due', 'EUR', '-10000', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '15', '2026-11-22 11:30:44.404+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d838-72b0-acb4-cebfe29cbab7', 'credit_note_issued', 'revenue', 'EUR', '8403', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '13', '2026-11-22 11:30:44.404+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d838-72b0-acb4-cebfe29cbab7', 'credit_note_issued', 'tax', 'EUR', '1597', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '14', '2026-11-22 11:30:44.404+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d850-7523-87db-a82e0c1cbd81', 'refund_sent', 'cash:sandbox', 'EUR', '-2500', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '17', '2026-11-22 11:30:44.441+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d850-7523-87db-a82e0c1cbd81', 'refund_sent', 'refunds_due', 'EUR', '2500', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '16', '2026-11-22 11:30:44.441+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8ba-7467-889a-789de60433ac', 'invoice_issued', 'receivable', 'EUR', '600', '01a20305-d8ba-7467-889a-789de60433ac', '18', '2026-11-22 11:30:44.532+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8ba-7467-889a-789de60433ac', 'invoice_issued', 'revenue', 'EUR', '-504', '01a20305-d8ba-7467-889a-789de60433ac', '19', '2026-11-22 11:30:44.532+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8ba-7467-889a-789de60433ac', 'invoice_issued', 'tax', 'EUR', '-96', '01a20305-d8ba-7467-889a-789de60433ac', '20', '2026-11-22 11:30:44.532+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8de-709b-a288-9f165530f703', 'invoice_issued', 'receivable', 'USD', '4800', '01a20305-d8de-709b-a288-9f165530f703', '21', '2026-11-22 11:30:44.56+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8de-709b-a288-9f165530f703', 'invoice_issued', 'revenue', 'USD', '-4800', '01a20305-d8de-709b-a288-9f165530f703', '22', '2026-11-22 11:30:44.56+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8de-709b-a288-9f165530f703', 'invoice_voided', 'receivable', 'USD', '-4800', '01a20305-d8de-709b-a288-9f165530f703', '23', '2026-11-22 11:30:44.584+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d8de-709b-a288-9f165530f703', 'invoice_voided', 'revenue', 'USD', '4800', '01a20305-d8de-709b-a288-9f165530f703', '24', '2026-11-22 11:30:44.584+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '1afb46a3-a1b7-46f4-b5fe-24196e4d4081', 'dispute_withdrawn', 'cash:sandbox', 'EUR', '-1000', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '28', '2026-11-22 11:30:44.613+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '1afb46a3-a1b7-46f4-b5fe-24196e4d4081', 'dispute_withdrawn', 'disputed', 'EUR', '1000', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '27', '2026-11-22 11:30:44.613+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d7a5-717e-9d39-473d63144cb2', 'invoice_issued', 'receivable', 'EUR', '300', '01a20305-d7a5-717e-9d39-473d63144cb2', '6', '2026-11-22 11:30:44.249+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d7a5-717e-9d39-473d63144cb2', 'invoice_issued', 'revenue', 'EUR', '-250', '01a20305-d7a5-717e-9d39-473d63144cb2', '7', '2026-11-22 11:30:44.249+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d7a5-717e-9d39-473d63144cb2', 'invoice_issued', 'tax', 'EUR', '-50', '01a20305-d7a5-717e-9d39-473d63144cb2', '8', '2026-11-22 11:30:44.249+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d8ef-71f6-bbdb-f631456ae80e', 'invoice_issued', 'receivable', 'USD', '4800', '01a20305-d8ef-71f6-bbdb-f631456ae80e', '25', '2026-11-22 11:30:44.591+00'),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d8ef-71f6-bbdb-f631456ae80e', 'invoice_issued', 'revenue', 'USD', '-4800', '01a20305-d8ef-71f6-bbdb-f631456ae80e', '26', '2026-11-22 11:30:44.591+00');

INSERT INTO payments (company_id, id, invoice_id, card_id, method, gateway, gateway_token, amount_minor, currency, state, gateway_payment_id, decline_code, failure_reason, withdrawn_minor, reconcile_at, reconcile_count, last_reconciled_at, created_at, updated_at, credit_minor, collection_attempt, paypal_account_id) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d7f9-730e-823f-91b8dafe3901', '01a20305-d7a6-73ce-8741-2e8cf8db749e', '01a20305-d677-7596-acbe-1c622e565c49', 'Card', 'sandbox', 'sandbox_card_1', '89010', 'EUR', 'captured', 'sandbox_payment_1', NULL, NULL, '1000', NULL, '0', NULL, '2026-11-22 11:30:44.338+00', '2026-11-22 11:30:44.364+00', '5000', NULL, NULL),
  ('01a20305-d688-726b-b631-0312dd084a45', '01a20305-d884-766c-8cbc-aa5048aee14e', '01a20305-d7a5-717e-9d39-473d63144cb2', '01a20305-d878-75a8-a443-a600c027578f', 'Card', 'sandbox', 'sandbox_card_3', '300', 'EUR', 'failed', 'sandbox_payment_2', 'generic_decline', 'declined', '0', NULL, '0', NULL, '2026-11-22 11:30:44.484+00', '2026-11-22 11:30:44.497+00', '0', NULL, NULL);

INSERT INTO paypal_accounts (company_id, id, is_default, email, gateway, gateway_token, metadata, deleted_at, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6e0-7784-a7b7-c9dd47694ebc', 'false', 'payer-b6cb3c1302b4@example.com', 'sandbox', 'sandbox_account_1', '{}', NULL, '2026-11-22 11:30:44.062+00', '2026-11-22 11:30:44.062+00');

INSERT INTO prices (id, company_id, path, title, currency, model, rates, free_requests, pooled, effective_from, effective_to, created_at, updated_at) VALUES
  ('01a20305-d5d2-7466-81c0-c8502e7fbf03', NULL, '/v1/transcriptions', 'Speech to text', 'EUR', 'flat', '{"unitAmount":"0.005"}', '0', 'false', '2026-01-01 00:00:00+00', NULL, '2026-11-22 11:30:43.788+00', '2026-11-22 11:30:43.788+00'),
  ('01a20305-d5e3-77df-a44c-fe87c6e8cf4d', NULL, '/v1/translations', 'Translation', 'EUR', 'graduated', '{"tiers":[{"upTo":1000,"unitAmount":"0"},{"upTo":null,"unitAmount":"0.01"}]}', '0', 'false', '2026-01-01 00:00:00+00', NULL, '2026-11-22 11:30:43.811+00', '2026-11-22 11:30:43.811+00');

INSERT INTO refunds (company_id, id, payment_id, invoice_id, credit_note_id, gateway, amount_minor, credit_minor, currency, reason, source, idempotency_key, state, gateway_refund_id, reconcile_at, reconcile_count, created_at, updated_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d850-7523-87db-a82e0c1cbd81', '01a20305-d7f9-730e-823f-91b8dafe3901', '01a20305-d7a6-73ce-8741-2e8cf8db749e', NULL, 'sandbox', '2500', '0', 'EUR', 'Outage', 'operator', '79b924ec-c496-41bd-b7a9-55c45e4d0a62', 'succeeded', 'sandbox_refund_1', NULL, '0', '2026-11-22 11:30:44.427+00', '2026-11-22 11:30:44.441+00');

INSERT INTO seller (id, name, address_lines, tax_id, email, footer_text, updated_at) VALUES
  ('true', 'Speech Services Ltd', '[]', 'GB123456789', '', '', '2026-11-22 11:30:43.729+00');

INSERT INTO usage_cutoffs (number, closed_at) VALUES
  ('1', '2026-11-22 11:30:44.244+00'),
  ('2', '2026-11-22 11:30:44.53+00'),
  ('3', NULL);

INSERT INTO usage_days (company_id, day, path, quantity) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08-14 00:00:00+00', '/v1/transcriptions', '120000'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08-20 00:00:00+00', '/v1/translations', '20000'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08-30 00:00:00+00', '/v1/transcriptions', '7'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-09-14 00:00:00+00', '/v1/transcriptions', '1000'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2026-08-21 00:00:00+00', '/v1/transcriptions', '500');

INSERT INTO usage_deltas (company_id, id, hour, path, quarter_1, quarter_2, quarter_3, quarter_4, stored_at) OVERRIDING SYSTEM VALUE VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '6', '2026-10-03 12:00:00+00', '/v1/transcriptions', '42', '0', '0', '0', '2026-11-22 11:30:44.596+00');

INSERT INTO usage_event_keys (company_id, digest) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '22a0c62a-b9ec-8fe7-807b-481ddc9336b5'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '30e97e83-dbda-79b1-6c8d-896244b7af06'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '32c5cda3-d17a-8082-e63e-a9243d3b0041'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '6c266af3-91ce-947c-8ad1-8a79d305bb9a'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '7e44b967-2684-7343-bcc8-1aa303877f2b'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2faa3014-cc88-a937-6234-19c0dde7da07');

INSERT INTO usage_events (company_id, stored_at, digest, happened_at, quantity, path, source, event) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-11-22 11:30:44.146+00', '22a0c62a-b9ec-8fe7-807b-481ddc9336b5', '2026-08-14 12:00:00+00', '120000', '/v1/transcriptions', '/gateways/test', 'a8540fa8-c54f-4820-801b-680fc7f67873'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-11-22 11:30:44.169+00', '7e44b967-2684-7343-bcc8-1aa303877f2b', '2026-08-20 12:00:00+00', '20000', '/v1/translations', '/gateways/test', '47c363d3-b5d4-4414-8d39-d240ec74b5b7'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-11-22 11:30:44.508+00', '32c5cda3-d17a-8082-e63e-a9243d3b0041', '2026-09-14 12:00:00+00', '1000', '/v1/transcriptions', '/gateways/test', '85399adb-00d4-43ea-a439-91d7caf7110e'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-11-22 11:30:44.515+00', '6c266af3-91ce-947c-8ad1-8a79d305bb9a', '2026-08-30 12:00:00+00', '7', '/v1/transcriptions', '/gateways/test', '64662f0a-4345-4255-8dfc-5750994c57af'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-11-22 11:30:44.596+00', '30e97e83-dbda-79b1-6c8d-896244b7af06', '2026-10-03 12:00:00+00', '42', '/v1/transcriptions', '/gateways/test', '6fa2b939-ab28-4de6-a300-be56fd2682d4'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2026-11-22 11:30:44.173+00', '2faa3014-cc88-a937-6234-19c0dde7da07', '2026-08-21 12:00:00+00', '500', '/v1/transcriptions', '/gateways/test', '4bd6fc82-50f3-4ff9-a209-7c838e1412d7');

INSERT INTO usage_hours (company_id, hour, path, cutoff, quarter_1, quarter_2, quarter_3, quarter_4) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08-14 12:00:00+00', '/v1/transcriptions', '1', '120000', '0', '0', '0'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08-20 12:00:00+00', '/v1/translations', '1', '20000', '0', '0', '0'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-08-30 12:00:00+00', '/v1/transcriptions', '2', '7', '0', '0', '0'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2026-09-14 12:00:00+00', '/v1/transcriptions', '2', '1000', '0', '0', '0'),
  ('01a20305-d688-726b-b631-0312dd084a45', '2026-08-21 12:00:00+00', '/v1/transcriptions', '1', '500', '0', '0', '0');

INSERT INTO usage_threshold_checks (company_id, id, first_hour, last_hour, due_at, created_at) OVERRIDING SYSTEM VALUE VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '1', '2026-08-05 12:00:00+00', '2026-08-05 12:00:00+00', '2026-08-05 12:00:00+00', '2026-11-22 11:30:44.075+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '2', '2026-08-14 12:00:00+00', '2026-08-20 12:00:00+00', '-infinity', '2026-11-22 11:30:44.233+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '3', '2026-08-30 12:00:00+00', '2026-09-14 12:00:00+00', '-infinity', '2026-11-22 11:30:44.527+00');

INSERT INTO usage_thresholds (company_id, id, path, quantity, created_at) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6ed-70d7-bfd3-c74daccb922a', '/v1/transcriptions', '1000', '2026-11-22 11:30:44.075+00');

INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key, password_hash, phone, country, city, avatar, language, timezone, default_app, disabled_at, created_at, updated_at) VALUES
  ('01a20305-d5f0-7248-b15c-703f84573014', '01a20305-d5ee-71cc-b669-63c221ed1a01', 'Admin', 'Ada', 'Lovelace', 'ada@acme.example.com', 'ada@acme.example.com', 'hash of the password', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:43.822+00', '2026-11-22 11:30:43.822+00'),
  ('01a20305-d68a-766b-9697-493320546bd1', '01a20305-d688-726b-b631-0312dd084a45', 'Admin', 'Ada', 'Lovelace', 'bea@bolt.example.com', 'bea@bolt.example.com', 'hash of the password', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:43.977+00', '2026-11-22 11:30:43.977+00'),
  ('01a20305-d6b2-768d-a4ea-948f67187096', NULL, 'Customer', 'Ada', 'Lovelace', 'customer@example.com', 'customer@example.com', 'hash of the password', '', '', '', '', '', '', '', NULL, '2026-11-22 11:30:44.018+00', '2026-11-22 11:30:44.018+00');

INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, state, tries, next_attempt_at, lease, leased_until, created_at) VALUES
  ('00000000-0000-0000-0000-000000000000', '01a20305-d70d-72ba-b307-c1ee0bc27c88', '01a20305-d7b3-7755-a3c3-e96adb3df5f0', '01a20305-d688-726b-b631-0312dd084a45', 'pending', '0', '2026-11-22 11:30:44.249+00', NULL, NULL, '2026-11-22 11:30:44.249+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d71f-74be-ac54-4291d06235f6', '01a20305-d8ea-76ce-96ec-be612703e5d2', '01a20305-d5ee-71cc-b669-63c221ed1a01', 'pending', '0', '2026-11-22 11:30:44.584+00', NULL, NULL, '2026-11-22 11:30:44.584+00');

INSERT INTO webhook_endpoints (company_id, id, url, description, types, status, secret, previous_secret, previous_secret_until, created_at, updated_at) VALUES
  ('00000000-0000-0000-0000-000000000000', '01a20305-d70d-72ba-b307-c1ee0bc27c88', 'https://hooks.example.com/paydesk', '', '{invoice.created,payment.captured}', 'enabled', E'\\x00', NULL, NULL, '2026-11-22 11:30:44.104+00', '2026-11-22 11:30:44.104+00'),
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d71f-74be-ac54-4291d06235f6', 'https://acme.example.com/hooks', '', '{invoice.*}', 'enabled', E'\\x00', NULL, NULL, '2026-11-22 11:30:44.126+00', '2026-11-22 11:30:44.126+00');

INSERT INTO gateway_customers (company_id, gateway, customer) VALUES ('01a20305-d5ee-71cc-b669-63c221ed1a01', 'stripe', 'customer_1');

INSERT INTO gateway_notices (gateway, id, type, gateway_payment_id, outcome) VALUES
  ('stripe', 'notice_1', 'payment_intent.succeeded', 'payment_1', 'settled');

INSERT INTO login_failures (email_hash, address) VALUES (E'\\x00', '127.0.0.1');

INSERT INTO webhook_attempts (company_id, id, endpoint_id, event, try, status, duration_ms, response) VALUES
  ((SELECT company_id FROM webhook_endpoints WHERE id = '01a20305-d71f-74be-ac54-4291d06235f6'), '01a20305-d7b4-77f7-b4d5-000000000001', '01a20305-d71f-74be-ac54-4291d06235f6', '01a20305-d7b4-77f7-b4d5-000000000002', 1, 500, 12, 'no');

INSERT INTO usage_threshold_crossings (company_id, threshold_id, period, quantity) VALUES
  ('01a20305-d5ee-71cc-b669-63c221ed1a01', '01a20305-d6ed-70d7-bfd3-c74daccb922a', '2026-08', 120000);
