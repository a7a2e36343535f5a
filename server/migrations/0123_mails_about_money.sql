-- Mails about money: what they tell stands in plain columns, because they open no account. `facts` is what the text names; it is emptied
-- after 30 days, and the row stays. `attachments` has the size of a file once it was drawn.
ALTER TABLE mails
  ADD COLUMN invoice_id uuid,
  ADD COLUMN resend_of uuid,
  ADD COLUMN facts jsonb,
  ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN is_about_money boolean NOT NULL DEFAULT false;
CREATE INDEX mails_of_invoice ON mails (company_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX mails_about_money ON mails (id) WHERE is_about_money;
CREATE INDEX mails_failed_about_money ON mails (id) WHERE is_about_money AND status = 'failed';
CREATE INDEX mails_with_facts ON mails (created_at) WHERE facts IS NOT NULL;
CREATE INDEX mails_to_several ON mails USING gin ((lower(recipients::text)::jsonb)) WHERE json_array_length(recipients) > 1;
GRANT UPDATE (facts, attachments, recipients) ON mails TO paydesk_application;

-- Who gets a company's mails about money, in which language, and which of them it does not want. Without a row all is as by default.
CREATE TABLE mail_settings (
  company_id uuid PRIMARY KEY REFERENCES companies (id),
  recipients jsonb NOT NULL DEFAULT '[]',
  language text NOT NULL DEFAULT 'en',
  disabled jsonb NOT NULL DEFAULT '[]'
);
GRANT SELECT, INSERT, UPDATE ON mail_settings TO paydesk_application;

-- Whether there is a mail server: one row, written when a process starts. Without one, mails about money are kept.
CREATE TABLE mail_server (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  is_set boolean NOT NULL
);
INSERT INTO mail_server (is_set) VALUES (false);
GRANT SELECT, UPDATE (is_set) ON mail_server TO paydesk_application;

-- The month of expiry that the company was told of. A card that is renewed expires in another month, of which it is told again.
ALTER TABLE cards ADD COLUMN expiry_noticed date;
GRANT UPDATE (expiry_noticed) ON cards TO paydesk_application;
CREATE INDEX cards_by_expiry ON cards (exp_year, exp_month) WHERE is_default AND deleted_at IS NULL;

-- A new UUID version 7 (RFC 9562), for rows that a statement inserts from other rows.
CREATE FUNCTION time_ordered_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN overlay(overlay(replace(gen_random_uuid()::text, '-', '')
  PLACING lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') FROM 1 FOR 12) PLACING '7' FROM 13 FOR 1)::uuid;
COMMENT ON FUNCTION time_ordered_id() IS 'A new UUID version 7 (RFC 9562), for rows that a statement inserts from other rows.';
COMMENT ON TABLE mail_settings IS
  'Who gets a company’s mails about money, in which language, and which of them it does not want. Without a row all is as by default.';
COMMENT ON TABLE mail_server IS 'Whether there is a mail server: one row, written when a process starts.';
