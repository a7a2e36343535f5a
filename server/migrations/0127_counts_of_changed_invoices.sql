-- An update of an invoice, which is of one row, is counted and summed by one trigger of the row, which writes only what has changed.

DROP TRIGGER invoices_changed_from ON invoices;
DROP TRIGGER invoices_changed_to ON invoices;
DROP TRIGGER invoices_summed_again ON invoices;
DROP FUNCTION sum_changed_invoices();

CREATE FUNCTION count_changed_invoice() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.status = NEW.status AND OLD.method = NEW.method THEN
    UPDATE invoice_counts SET changes = changes + 1
    WHERE company_id = NEW.company_id AND status = NEW.status AND method = NEW.method;
  ELSE
    -- Ordered, so that two transactions lock the rows in the same order.
    INSERT INTO invoice_counts AS counts (company_id, status, method, invoices, changes)
    SELECT NEW.company_id, status, method, difference, 1
    FROM (VALUES (OLD.status, OLD.method, -1), (NEW.status, NEW.method, 1)) AS changed (status, method, difference)
    ORDER BY status, method
    ON CONFLICT (company_id, status, method)
      DO UPDATE SET invoices = counts.invoices + excluded.invoices, changes = counts.changes + 1;
  END IF;
  IF (OLD.currency, OLD.minor_unit_digits, OLD.status, OLD.voided_at, OLD.credited_total, OLD.part_paid, OLD.total, OLD.due_at)
     IS DISTINCT FROM
     (NEW.currency, NEW.minor_unit_digits, NEW.status, NEW.voided_at, NEW.credited_total, NEW.part_paid, NEW.total, NEW.due_at) THEN
    INSERT INTO invoice_sum_changes (currency, minor_unit_digits, due_on, failed, invoices, amount)
    SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', sign,
           CASE WHEN due_on > '-infinity' THEN sign * due ELSE 0 END
    FROM (VALUES
      (-1, OLD.currency, OLD.minor_unit_digits, OLD.status, OLD.total - OLD.credited_total - OLD.part_paid,
       open_until(OLD.status, OLD.voided_at, OLD.credited_total, OLD.total, OLD.due_at)),
      (1, NEW.currency, NEW.minor_unit_digits, NEW.status, NEW.total - NEW.credited_total - NEW.part_paid,
       open_until(NEW.status, NEW.voided_at, NEW.credited_total, NEW.total, NEW.due_at))
    ) AS changed (sign, currency, minor_unit_digits, status, due, due_on);
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION count_changed_invoice()
  IS 'Counts an updated invoice under its new status and method, and changes the sums by what the update has changed.';
CREATE TRIGGER invoices_changed AFTER UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION count_changed_invoice();
