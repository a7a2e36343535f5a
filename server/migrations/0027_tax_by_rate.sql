-- Several tax rates on an invoice: late usage bears the rate at which its period was billed.

-- By rate what the lines come to and their tax, as answers show it; null where one rate holds for all, which then is `tax_rate`.
ALTER TABLE invoices
  ALTER COLUMN tax_rate DROP NOT NULL,
  ADD COLUMN taxes json,
  ADD CONSTRAINT invoices_taxes_of_rates CHECK ((tax_rate IS NULL) = (taxes IS NOT NULL)) NOT VALID;

-- What of the credit note falls on each of the invoice's rates; null where the invoice has one.
ALTER TABLE credit_notes ADD COLUMN taxes json;

-- What is carried over may hold tax of one rate and net of another, so neither is bound by the sum.
ALTER TABLE credit_entries
  DROP CONSTRAINT credit_entries_check3,
  ADD CONSTRAINT credit_entries_check3 CHECK (carried_tax_minor IS NULL OR kind = 'grant') NOT VALID;

-- Whether late usage on the period's invoice bears the rates of its own periods. Before, it bore the rate of the invoice.
ALTER TABLE billed_periods ADD COLUMN late_at_own_rate boolean NOT NULL DEFAULT false;
