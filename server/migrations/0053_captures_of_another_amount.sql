-- A person decides about a capture of another amount than was due. What is more than was due becomes credit. Less is a part payment, and
-- the rest stays due. Or all of it is refunded, and the payment fails.
ALTER TABLE payments
  -- It covers a part of what was due, so another payment may follow it.
  ADD COLUMN is_part boolean NOT NULL DEFAULT false,
  -- What was captured beside amount_minor, and became credit.
  ADD COLUMN overpaid_minor bigint NOT NULL DEFAULT 0;
ALTER TABLE payments ADD CONSTRAINT payments_overpaid_is_captured
  CHECK (overpaid_minor = 0 OR (overpaid_minor > 0 AND state = 'captured' AND NOT is_part)) NOT VALID;
ALTER TABLE payments ADD CONSTRAINT payments_part_is_captured CHECK (NOT is_part OR state = 'captured') NOT VALID;
DROP INDEX payments_one_live;
CREATE UNIQUE INDEX payments_one_live ON payments (company_id, invoice_id) WHERE state <> 'failed' AND NOT is_part;

-- What part payments have paid, with the credit that they took.
ALTER TABLE invoices ADD COLUMN part_paid numeric(20, 4) NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD CONSTRAINT invoices_part_paid_within_total CHECK (part_paid >= 0 AND part_paid <= total) NOT VALID;
ALTER TABLE invoices ADD CONSTRAINT invoices_void_has_no_part CHECK (voided_at IS NULL OR part_paid = 0) NOT VALID;

-- A refund of a capture that is under review: no credit note covers it, because the books do not have the capture.
ALTER TABLE refunds ADD COLUMN returns_capture boolean NOT NULL DEFAULT false;

ALTER TABLE credit_entries
  DROP CONSTRAINT credit_entries_kind_check,
  DROP CONSTRAINT credit_entries_check,
  DROP CONSTRAINT credit_entries_check1;
ALTER TABLE credit_entries
  ADD CONSTRAINT credit_entries_kind_check
    CHECK (kind IN ('grant', 'correction', 'consumption', 'return', 'refund', 'overpayment')) NOT VALID,
  ADD CONSTRAINT credit_entries_check CHECK ((kind IN ('grant', 'return', 'refund', 'overpayment')) = (amount_minor > 0)) NOT VALID,
  ADD CONSTRAINT credit_entries_check1
    CHECK ((kind IN ('consumption', 'return', 'refund', 'overpayment')) = (payment_id IS NOT NULL)) NOT VALID;
-- The entry of the capture posts it.
DROP TRIGGER credit_entries_posted ON credit_entries;
CREATE TRIGGER credit_entries_posted AFTER INSERT ON credit_entries
FOR EACH ROW WHEN (NEW.kind NOT IN ('refund', 'overpayment')) EXECUTE FUNCTION post_credit_entry();

CREATE OR REPLACE FUNCTION post_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'payment_captured', line.account, NEW.currency, line.amount_minor, NEW.invoice_id
  FROM (VALUES
    ('cash:' || NEW.gateway, NEW.amount_minor + NEW.overpaid_minor), ('receivable', -NEW.amount_minor), ('credit', -NEW.overpaid_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  RETURN NULL;
END
$$;
DROP TRIGGER payments_capture_posted ON payments;
CREATE TRIGGER payments_capture_posted AFTER UPDATE OF state ON payments
FOR EACH ROW WHEN (OLD.state <> 'captured' AND NEW.state = 'captured' AND NEW.amount_minor + NEW.overpaid_minor > 0)
EXECUTE FUNCTION post_capture();

CREATE OR REPLACE FUNCTION keep_refunds_within_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid payments;
BEGIN
  SELECT * INTO paid FROM payments
  WHERE company_id = NEW.company_id AND id = NEW.payment_id AND invoice_id = NEW.invoice_id AND gateway = NEW.gateway
    AND CASE WHEN NEW.returns_capture THEN state = 'needs_review' ELSE state = 'captured' AND currency = NEW.currency END
  FOR NO KEY UPDATE;
  IF NOT FOUND OR EXISTS (
    SELECT FROM refunds
    WHERE company_id = NEW.company_id AND payment_id = NEW.payment_id AND state <> 'failed'
    HAVING CASE
      WHEN NEW.returns_capture THEN count(*) > 0
      ELSE (NEW.amount_minor > 0
            AND coalesce(sum(amount_minor), 0) + NEW.amount_minor + greatest(paid.withdrawn_minor, 0) > paid.amount_minor)
        OR coalesce(sum(credit_minor), 0) + NEW.credit_minor > paid.credit_minor
    END
  ) THEN
    RAISE EXCEPTION 'This refund is more than what is left of its payment.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_within_payment';
  END IF;
  RETURN NEW;
END
$$;

-- A returned capture is booked together with its refund.
CREATE FUNCTION post_returned_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  VALUES
    (NEW.company_id, NEW.payment_id, 'payment_captured', 'cash:' || NEW.gateway, NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.payment_id, 'payment_captured', 'refunds_due', NEW.currency, -NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'refund_sent', 'refunds_due', NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'refund_sent', 'cash:' || NEW.gateway, NEW.currency, -NEW.amount_minor, NEW.invoice_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER refunds_returned_capture_posted AFTER UPDATE ON refunds
FOR EACH ROW WHEN (NEW.state = 'succeeded' AND NEW.returns_capture) EXECUTE FUNCTION post_returned_capture();
DROP TRIGGER refunds_posted ON refunds;
CREATE TRIGGER refunds_posted AFTER INSERT OR UPDATE ON refunds
FOR EACH ROW WHEN (NEW.state = 'succeeded' AND NOT NEW.returns_capture) EXECUTE FUNCTION post_refund();
