-- The invoice that an alert keeps is one of its company.
ALTER TABLE alerts ADD FOREIGN KEY (company_id, payment_invoice_id) REFERENCES invoices (company_id, id);
