-- How many invoices a run has made, once it is at its end, so that the list of runs counts those alone that are not.
ALTER TABLE billing_runs ADD COLUMN invoices integer;
UPDATE billing_runs SET invoices = (SELECT count(invoice_id) FROM billed_periods WHERE run_id = billing_runs.id)
WHERE status IN ('done', 'failed');
