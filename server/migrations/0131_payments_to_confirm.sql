-- Payments that wait until the customer has confirmed them at the bank. `on_session`: the customer is there when the payment is charged.
-- `action` is what the customer needs to confirm it: `clientSecret`, `publishableKey`, `url` (where the invoice is paid) and `redirectUrl`
-- (the bank's page, or null). It is emptied when the payment ends.
ALTER TABLE payments
  ADD COLUMN on_session boolean NOT NULL DEFAULT false,
  ADD COLUMN expires_at timestamptz(3),
  ADD COLUMN action json,
  DROP CONSTRAINT payments_state_check,
  ADD CONSTRAINT payments_state_check CHECK (
    state IN ('created', 'sending', 'requires_action', 'unknown', 'needs_review', 'captured', 'failed')
  ) NOT VALID,
  ADD CONSTRAINT payments_waits_for_action CHECK (
    (state = 'requires_action') = (action IS NOT NULL) AND (state <> 'requires_action' OR expires_at IS NOT NULL)
  ) NOT VALID;
CREATE INDEX payments_to_confirm ON payments (gateway, reconcile_at) WHERE state = 'requires_action';

ALTER TABLE collections
  DROP CONSTRAINT collections_state_check,
  ADD CONSTRAINT collections_state_check CHECK (state IN (
    'scheduled', 'awaiting_outcome', 'awaiting_confirmation', 'awaiting_payment_method', 'manual', 'exhausted', 'closed'
  )) NOT VALID,
  DROP CONSTRAINT collections_check1,
  ADD CONSTRAINT collections_check1 CHECK (
    state NOT IN ('awaiting_outcome', 'awaiting_confirmation') OR payment_id IS NOT NULL
  ) NOT VALID;

-- A charge that waits for its confirmation counts once it has ended.
CREATE OR REPLACE FUNCTION note_asked_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IN ('unknown', 'requires_action') OR (NEW.state = 'failed' AND NEW.failure_reason IN ('declined', 'rejected')) THEN
    UPDATE asked_charges SET state = CASE NEW.state WHEN 'failed' THEN 'refused' ELSE 'unknown' END
    WHERE company_id = NEW.company_id AND id = NEW.id;
  ELSE
    DELETE FROM asked_charges WHERE company_id = NEW.company_id AND id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION wake_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id FOR NO KEY UPDATE;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = due_at, updated_at = now(),
      gateway = (SELECT chargeable.gateway FROM source_to_charge(NEW.company_id, NEW.method) AS chargeable)
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state IN ('awaiting_outcome', 'awaiting_confirmation')
    AND payment_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE FUNCTION suspend_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections SET state = 'awaiting_confirmation', next_attempt_at = NULL, payment_id = NEW.id, updated_at = now()
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state <> 'closed';
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION suspend_collection_by_payment() IS
  'Tries nothing else to collect an invoice while a payment of it waits for its confirmation.';
CREATE TRIGGER payments_to_confirm AFTER UPDATE OF state ON payments FOR EACH ROW
  WHEN (NEW.state = 'requires_action' AND OLD.state <> 'requires_action') EXECUTE FUNCTION suspend_collection_by_payment();

-- A collection that waits for a confirmation goes on with another card once that is the default. Saving a card alone changes nothing.
CREATE OR REPLACE FUNCTION wake_collections_by_source() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  source uuid;
  its_gateway text;
  is_renewed boolean := false;
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND state <> 'closed' ORDER BY invoice_id FOR NO KEY UPDATE;
  SELECT id, gateway INTO source, its_gateway FROM source_to_charge(NEW.company_id, TG_ARGV[0]);
  IF TG_TABLE_NAME = 'cards' AND TG_OP = 'UPDATE' THEN
    is_renewed := source = NEW.id AND (OLD.exp_year, OLD.exp_month) IS DISTINCT FROM (NEW.exp_year, NEW.exp_month);
  END IF;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = collections.due_at, gateway = its_gateway, updated_at = now(),
      declines = CASE WHEN is_renewed THEN 0 ELSE declines END
  FROM invoices
  WHERE collections.company_id = NEW.company_id
    AND (collections.state IN ('manual', 'awaiting_payment_method')
         OR ((collections.state = 'exhausted' OR (collections.state = 'scheduled' AND declines > 0))
             AND (source <> coalesce(card_id, paypal_account_id) OR is_renewed))
         OR (collections.state = 'awaiting_confirmation' AND TG_OP = 'UPDATE' AND source <> (
           SELECT coalesce(payments.card_id, payments.paypal_account_id) FROM payments
           WHERE payments.company_id = collections.company_id AND payments.id = collections.payment_id)))
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  UPDATE collections SET gateway = its_gateway, updated_at = now()
  FROM invoices
  WHERE collections.company_id = NEW.company_id AND collections.state = 'scheduled' AND gateway <> its_gateway
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  RETURN NULL;
END
$$;
