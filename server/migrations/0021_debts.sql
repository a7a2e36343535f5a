-- What is owed has a name that a database which goes back does not lose.

-- One row: which database this is. Copies of it share it.
CREATE TABLE installation (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

-- The operator's own name for the invoice, unique in the company for ever.
ALTER TABLE invoices ADD COLUMN reference text CHECK (length(reference) BETWEEN 1 AND 255);
-- usage:<company>:<YYYY-MM> of what a billing run bills, else ref:<company>:<reference, or without one the invoice's id>. Null of
-- invoices from before, whose debt follows from what is there: writing it into millions of rows would hold up the upgrade.
ALTER TABLE invoices ADD COLUMN debt text;
CREATE UNIQUE INDEX invoices_debt_taken ON invoices (company_id, debt) WHERE debt IS NOT NULL;

CREATE FUNCTION debt_of(invoice invoices) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    invoice.debt,
    (SELECT 'usage:' || invoice.company_id || ':' || period FROM billed_periods
     WHERE company_id = invoice.company_id AND invoice_id = invoice.id),
    'ref:' || invoice.company_id || ':' || invoice.id)
$$;

ALTER TABLE credit_notes ADD COLUMN reference text CHECK (length(reference) BETWEEN 1 AND 255);
CREATE UNIQUE INDEX credit_notes_reference_taken ON credit_notes (company_id, reference) WHERE reference IS NOT NULL;

-- Which of its debt's objects at the gateway the payment's is, by the number that the object carries; 0 until one is written down.
-- Null of payments from before, whose objects do not carry their debt.
ALTER TABLE payments ADD COLUMN debt_sequence integer CHECK (debt_sequence >= 0);

GRANT SELECT ON installation TO paydesk_application;
