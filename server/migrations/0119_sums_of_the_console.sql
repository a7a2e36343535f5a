-- What the console reads of all companies, however much there is: the ledger by month, what is due, and what its filters find.

CREATE TABLE ledger_months (
  month timestamptz NOT NULL,
  kind text NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  amount_minor numeric NOT NULL,
  up_to timestamptz NOT NULL,
  PRIMARY KEY (month, kind, account, currency)
);
COMMENT ON TABLE ledger_months IS 'The postings of each month by kind and account, added hour by hour up to the newest up_to; '
  'a trigger deletes sums that an older posting makes wrong.';
CREATE INDEX ledger_months_by_end ON ledger_months (up_to);
GRANT SELECT ON ledger_months TO paydesk_application;

CREATE FUNCTION sum_ledger_hour() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  summed timestamptz;
  next timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sum_ledger_hour'));
  SELECT coalesce(max(up_to), '-infinity') INTO summed FROM ledger_months;
  SELECT date_trunc('hour', min(created_at), 'UTC') + interval '1 hour' INTO next FROM ledger_postings WHERE created_at >= summed;
  IF next IS NULL OR next > now() - interval '1 hour' THEN RETURN false; END IF;
  INSERT INTO ledger_months AS months (month, kind, account, currency, amount_minor, up_to)
  SELECT date_trunc('month', next - interval '1 hour', 'UTC'), kind, account, currency, sum(amount_minor), next
  FROM ledger_postings WHERE created_at >= summed AND created_at < next
  GROUP BY kind, account, currency
  ON CONFLICT (month, kind, account, currency)
  DO UPDATE SET amount_minor = months.amount_minor + excluded.amount_minor, up_to = excluded.up_to;
  RETURN true;
END
$$;
COMMENT ON FUNCTION sum_ledger_hour() IS 'Adds the oldest hour of the ledger that is not in its month’s sums, '
  'an hour after its end, when no transaction of its time can be open any more; false when there is none.';

CREATE OR REPLACE FUNCTION reopen_ledger_hours() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first timestamptz := (SELECT min(created_at) FROM posted);
BEGIN
  DELETE FROM ledger_balances WHERE at > first;
  IF EXISTS (SELECT FROM ledger_months WHERE up_to > first) THEN
    DELETE FROM ledger_months WHERE month >= date_trunc('month', first, 'UTC');
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION reopen_ledger_hours() IS 'Deletes the balances and the sums of months that an older posting makes wrong.';

CREATE INDEX invoices_due ON invoices (currency, due_at) INCLUDE (minor_unit_digits, status, total, credited_total, part_paid)
WHERE status <> 'Succeeded' AND voided_at IS NULL AND (credited_total < total OR total = 0);

CREATE INDEX audit_entries_by_request ON audit_entries ((content ->> 'requestId'), id) WHERE content ->> 'requestId' IS NOT NULL;

CREATE INDEX invoices_by_creation ON invoices (created_at, id);

CREATE INDEX ledger_postings_of_invoice ON ledger_postings (invoice_id, created_at, number) WHERE invoice_id IS NOT NULL;
CREATE INDEX ledger_postings_of_source ON ledger_postings (source_id, created_at, number);

CREATE INDEX mails_to ON mails (lower(recipients ->> 0), id);
CREATE INDEX mails_by_type ON mails (type, id);
CREATE INDEX mails_by_status ON mails (status, id);
