-- An alert keeps the invoice of the payment that it is about.
ALTER TABLE alerts ADD COLUMN payment_invoice_id uuid;
UPDATE alerts SET payment_invoice_id = payments.invoice_id
FROM payments WHERE payments.company_id = alerts.company_id AND payments.id = alerts.payment_id;
