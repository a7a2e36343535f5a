-- What a payment came to that began before its invoice was due is recorded at once, so that its mail and the app say what happens next.
CREATE OR REPLACE FUNCTION wake_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id FOR NO KEY UPDATE;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = least(due_at, now()), updated_at = now(),
      gateway = (SELECT chargeable.gateway FROM source_to_charge(NEW.company_id, NEW.method, NEW.currency) AS chargeable)
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state IN ('awaiting_outcome', 'awaiting_confirmation')
    AND payment_id = NEW.id;
  RETURN NULL;
END
$$;
