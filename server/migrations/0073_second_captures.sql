-- A second capture of a debt, which a person accepts: it pays nothing of the invoice, and all of it becomes credit of the company.
ALTER TABLE payments DROP CONSTRAINT payments_overpaid_is_captured;
ALTER TABLE payments ADD CONSTRAINT payments_overpaid_is_captured
  CHECK (overpaid_minor = 0 OR (overpaid_minor > 0 AND state = 'captured' AND (NOT is_part OR amount_minor + credit_minor = 0))) NOT VALID;
DROP TRIGGER payments_insert_posted ON payments;
CREATE TRIGGER payments_insert_posted AFTER INSERT ON payments
FOR EACH ROW WHEN (NEW.state = 'captured' AND NEW.amount_minor + NEW.overpaid_minor > 0) EXECUTE FUNCTION post_capture();
