-- What a gateway captured and the books can't allocate to an invoice, since the database went back: a person refunds it. Its ledger entries
-- belong to no company.
CREATE TABLE unallocated_captures (
  id uuid PRIMARY KEY,
  gateway text NOT NULL,
  gateway_payment_id text NOT NULL,
  captured_minor bigint NOT NULL,
  -- What was not refunded before: this is booked, and refunded.
  amount_minor bigint NOT NULL CHECK (amount_minor > 0 AND amount_minor <= captured_minor),
  currency text NOT NULL,
  refund_id uuid NOT NULL,
  gateway_refund_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  refunded_at timestamptz(3),
  CONSTRAINT unallocated_captures_taken UNIQUE (gateway, gateway_payment_id),
  CHECK ((gateway_refund_id IS NULL) = (refunded_at IS NULL))
);
CREATE INDEX unallocated_captures_refunds ON unallocated_captures (refund_id);
GRANT SELECT, INSERT, UPDATE (gateway_refund_id, refunded_at) ON unallocated_captures TO paydesk_application;

ALTER TABLE ledger_postings DROP CONSTRAINT ledger_postings_account_check;
ALTER TABLE ledger_postings ADD CONSTRAINT ledger_postings_account_check CHECK (
  account ~ '^(receivable|revenue|tax|credit|goodwill|refunds_due|disputed|dispute_losses|unallocated|cash:[a-z0-9_-]+)$'
) NOT VALID;

CREATE FUNCTION post_unallocated_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.id, 'payment_captured', 'cash:' || NEW.gateway, NEW.currency, NEW.amount_minor),
    (nobody, NEW.id, 'payment_captured', 'unallocated', NEW.currency, -NEW.amount_minor);
  RETURN NULL;
END
$$;
CREATE TRIGGER unallocated_captures_posted AFTER INSERT ON unallocated_captures
FOR EACH ROW EXECUTE FUNCTION post_unallocated_capture();

CREATE FUNCTION post_unallocated_refund() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.refund_id, 'refund_sent', 'unallocated', NEW.currency, NEW.amount_minor),
    (nobody, NEW.refund_id, 'refund_sent', 'cash:' || NEW.gateway, NEW.currency, -NEW.amount_minor);
  RETURN NULL;
END
$$;
CREATE TRIGGER unallocated_captures_refund_posted AFTER UPDATE OF refunded_at ON unallocated_captures
FOR EACH ROW WHEN (OLD.refunded_at IS NULL AND NEW.refunded_at IS NOT NULL) EXECUTE FUNCTION post_unallocated_refund();
