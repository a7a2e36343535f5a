-- What the operator's overview and the list of invoices ask of all companies, without reading every open invoice.

CREATE TABLE invoice_sums (
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  due_on date NOT NULL,
  failed boolean NOT NULL,
  invoices bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (currency, minor_unit_digits, due_on, failed)
) WITH (fillfactor = 50);
COMMENT ON TABLE invoice_sums IS 'How many invoices there are, and what is due on them, by currency and the day (UTC) on which they '
  'are due; due_on is -infinity for invoices that are not open. Together with invoice_sum_changes they are exact.';
CREATE TABLE invoice_sum_changes (LIKE invoice_sums);
COMMENT ON TABLE invoice_sum_changes IS 'What transactions have changed of invoice_sums since housekeeping last added it to them: '
  'rows of their own, so that no transaction waits for another.';
GRANT SELECT ON invoice_sums, invoice_sum_changes TO paydesk_application;

CREATE FUNCTION open_until(status text, voided_at timestamptz, credited_total numeric, total numeric, due_at timestamptz) RETURNS date
LANGUAGE sql IMMUTABLE RETURN CASE
  WHEN status <> 'Succeeded' AND voided_at IS NULL AND (credited_total < total OR total = 0) THEN (due_at AT TIME ZONE 'UTC')::date
  ELSE '-infinity'
END;
COMMENT ON FUNCTION open_until(text, timestamptz, numeric, numeric, timestamptz)
  IS 'The day (UTC) on which an open invoice is due; -infinity for one that is not open.';

CREATE FUNCTION sum_invoices() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO invoice_sum_changes (currency, minor_unit_digits, due_on, failed, invoices, amount)
  SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', count(*),
         coalesce(sum(total - credited_total - part_paid) FILTER (WHERE due_on > '-infinity'), 0)
  FROM added CROSS JOIN LATERAL open_until(status, voided_at, credited_total, total, due_at) AS due_on
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION sum_invoices() IS 'Adds new invoices to the sums.';

CREATE FUNCTION sum_changed_invoices() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO invoice_sum_changes (currency, minor_unit_digits, due_on, failed, invoices, amount)
  SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', sum(sign),
         coalesce(sum(sign * (total - credited_total - part_paid)) FILTER (WHERE due_on > '-infinity'), 0)
  FROM (
    SELECT 1 AS sign, currency, minor_unit_digits, status, voided_at, credited_total, part_paid, total, due_at FROM added
    UNION ALL
    SELECT -1, currency, minor_unit_digits, status, voided_at, credited_total, part_paid, total, due_at FROM removed
  ) AS changed CROSS JOIN LATERAL open_until(status, voided_at, credited_total, total, due_at) AS due_on
  GROUP BY 1, 2, 3, 4
  HAVING sum(sign) <> 0 OR sum(sign * (total - credited_total - part_paid)) FILTER (WHERE due_on > '-infinity') <> 0;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION sum_changed_invoices() IS 'Changes the sums by what an update has changed of invoices.';

CREATE TRIGGER invoices_summed AFTER INSERT ON invoices
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_invoices();
CREATE TRIGGER invoices_summed_again AFTER UPDATE ON invoices
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_changed_invoices();
-- The triggers hold off whoever writes until this is committed.
INSERT INTO invoice_sums (currency, minor_unit_digits, due_on, failed, invoices, amount)
SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', count(*),
       coalesce(sum(total - credited_total - part_paid) FILTER (WHERE due_on > '-infinity'), 0)
FROM invoices CROSS JOIN LATERAL open_until(status, voided_at, credited_total, total, due_at) AS due_on
GROUP BY 1, 2, 3, 4;

CREATE FUNCTION add_invoice_sum_changes() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('add_invoice_sum_changes'));
  WITH taken AS (DELETE FROM invoice_sum_changes RETURNING *)
  INSERT INTO invoice_sums AS sums (currency, minor_unit_digits, due_on, failed, invoices, amount)
  SELECT currency, minor_unit_digits, due_on, failed, sum(invoices), sum(amount) FROM taken GROUP BY 1, 2, 3, 4
  ON CONFLICT (currency, minor_unit_digits, due_on, failed)
  DO UPDATE SET invoices = sums.invoices + excluded.invoices, amount = sums.amount + excluded.amount;
  DELETE FROM invoice_sums WHERE invoices = 0;
END
$$;
COMMENT ON FUNCTION add_invoice_sum_changes()
  IS 'Adds to the sums what has changed, and deletes the sums of days of which no invoice is left.';

-- The overview reads the invoices of four days by their instant; the sums have the others.
DROP INDEX invoices_due;
CREATE INDEX invoices_due ON invoices (due_at) INCLUDE (currency, minor_unit_digits, status, total, credited_total, part_paid)
WHERE status <> 'Succeeded' AND voided_at IS NULL AND (credited_total < total OR total = 0);

CREATE INDEX invoices_by_currency ON invoices (currency, id);
CREATE INDEX invoices_by_amount ON invoices (total);

CREATE INDEX refunds_to_review ON refunds (created_at, id) WHERE state = 'needs_review';
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (company_id, id) WHERE status = 'failing';
