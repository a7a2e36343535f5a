-- What an invoice has come to, beside the specification's status: `invoiceState` in invoices.queries.ts.

-- Whether credit notes alone covered all of it when it became Succeeded: nobody paid anything then.
ALTER TABLE invoices ADD COLUMN settled_by_credit_notes boolean NOT NULL DEFAULT false;
UPDATE invoices SET settled_by_credit_notes = true
FROM payments
WHERE payments.company_id = invoices.company_id AND payments.id = invoices.payment_id
  AND invoices.total > 0 AND invoices.credited_total = invoices.total AND payments.amount_minor = 0 AND payments.credit_minor = 0;

-- What is open, over all companies, with what says how it is overdue; and the few that were voided or credited.
CREATE INDEX invoices_open ON invoices (id) INCLUDE (company_id, due_at)
  WHERE status <> 'Succeeded' AND voided_at IS NULL AND (credited_total < total OR total = 0);
CREATE INDEX invoices_voided_or_credited ON invoices (company_id, id) INCLUDE (status, method)
  WHERE voided_at IS NOT NULL OR (credited_total = total AND total > 0);
-- Two partial indexes have the same numbers.
DROP INDEX invoices_by_number;
