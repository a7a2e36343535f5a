-- A capture that no invoice gets is booked in full, with the refunds that its gateway made before it was booked. If nothing is left to
-- refund, no refund is begun here. A company that gets the capture later gets all of it.
ALTER TABLE unallocated_captures DROP CONSTRAINT unallocated_captures_check;
ALTER TABLE unallocated_captures ADD CONSTRAINT unallocated_captures_amount_minor_check1 CHECK (
  amount_minor BETWEEN 0 AND captured_minor AND (amount_minor = 0) = (refund_id IS NULL)
);
ALTER TABLE unallocated_captures
  ALTER COLUMN refund_id DROP NOT NULL,
  ADD COLUMN allocated_at timestamptz(3) CHECK (allocated_at IS NULL OR refund_id IS NULL);
GRANT UPDATE (allocated_at) ON unallocated_captures TO paydesk_application;

CREATE TABLE unallocated_refunds (
  capture_id uuid NOT NULL REFERENCES unallocated_captures,
  id uuid NOT NULL,
  gateway_refund_id text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (capture_id, id),
  CONSTRAINT unallocated_refunds_taken UNIQUE (gateway_refund_id, capture_id)
);
GRANT SELECT, INSERT ON unallocated_refunds TO paydesk_application;

CREATE OR REPLACE FUNCTION post_unallocated_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.id, 'payment_captured', 'cash:' || NEW.gateway, NEW.currency, NEW.captured_minor),
    (nobody, NEW.id, 'payment_captured', 'unallocated', NEW.currency, -NEW.captured_minor);
  RETURN NULL;
END
$$;

CREATE FUNCTION post_earlier_unallocated_refund() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  SELECT nobody, NEW.id, 'refund_sent', account, currency, amount
  FROM unallocated_captures AS capture,
       LATERAL (VALUES ('unallocated', NEW.amount_minor), ('cash:' || gateway, -NEW.amount_minor)) AS posted (account, amount)
  WHERE capture.id = NEW.capture_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER unallocated_refunds_posted AFTER INSERT ON unallocated_refunds
FOR EACH ROW EXECUTE FUNCTION post_earlier_unallocated_refund();

-- The company's own payment and refunds post the same again, for the company.
CREATE FUNCTION reverse_unallocated_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  SELECT company_id, source_id, CASE kind WHEN 'refund_sent' THEN 'payment_captured' ELSE 'refund_sent' END,
         account, currency, -amount_minor
  FROM ledger_postings
  WHERE company_id = '00000000-0000-0000-0000-000000000000'
    AND source_id IN (SELECT NEW.id UNION ALL SELECT id FROM unallocated_refunds WHERE capture_id = NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER unallocated_captures_allocated AFTER UPDATE OF allocated_at ON unallocated_captures
FOR EACH ROW WHEN (OLD.allocated_at IS NULL AND NEW.allocated_at IS NOT NULL) EXECUTE FUNCTION reverse_unallocated_capture();
