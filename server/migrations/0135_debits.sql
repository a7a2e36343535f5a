-- A direct debit is `processing` while its money is on its way, for days. It can't be canceled, and is looked at until `expires_at`.
ALTER TABLE payments
  DROP CONSTRAINT payments_state_check,
  ADD CONSTRAINT payments_state_check CHECK (
    state IN ('created', 'sending', 'requires_action', 'processing', 'unknown', 'needs_review', 'captured', 'failed')
  ) NOT VALID,
  ADD CONSTRAINT payments_debit_ends CHECK (state <> 'processing' OR (expires_at IS NOT NULL AND gateway_payment_id IS NOT NULL)) NOT VALID;
CREATE INDEX payments_processing ON payments (gateway, reconcile_at) WHERE state = 'processing';

CREATE OR REPLACE FUNCTION suspend_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections
  SET state = CASE NEW.state WHEN 'processing' THEN 'awaiting_outcome' ELSE 'awaiting_confirmation' END,
      next_attempt_at = NULL, payment_id = NEW.id, updated_at = now()
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state <> 'closed';
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION suspend_collection_by_payment() IS
  'Tries nothing else to collect an invoice while a payment of it waits for its confirmation, or is a debit on its way.';
CREATE TRIGGER payments_processing AFTER UPDATE OF state ON payments FOR EACH ROW
  WHEN (NEW.state = 'processing' AND OLD.state <> 'processing') EXECUTE FUNCTION suspend_collection_by_payment();
