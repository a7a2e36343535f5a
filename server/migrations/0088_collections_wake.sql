-- What wakes a collection locks it first, whatever its state: the worker may be about to write the state that it is woken from, after it
-- has read everything as it was before this change.

CREATE OR REPLACE FUNCTION wake_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id FOR NO KEY UPDATE;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = due_at, updated_at = now(),
      gateway = (SELECT chargeable.gateway FROM source_to_charge(NEW.company_id, NEW.method) AS chargeable)
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state = 'awaiting_outcome' AND payment_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION wake_collections_by_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.id AND state <> 'closed' ORDER BY invoice_id FOR NO KEY UPDATE;
  UPDATE collections SET state = 'scheduled', next_attempt_at = due_at, updated_at = now()
  WHERE company_id = NEW.id AND state = 'manual';
  RETURN NULL;
END
$$;

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
  SET state = 'scheduled', next_attempt_at = collections.due_at, gateway = its_gateway, updated_at = now()
  FROM invoices
  WHERE collections.company_id = NEW.company_id
    AND (collections.state IN ('manual', 'awaiting_payment_method')
         OR ((collections.state = 'exhausted' OR (collections.state = 'scheduled' AND declines > 0))
             AND (source <> coalesce(card_id, paypal_account_id) OR is_renewed)))
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  UPDATE collections SET gateway = its_gateway, updated_at = now()
  FROM invoices
  WHERE collections.company_id = NEW.company_id AND collections.state = 'scheduled' AND gateway <> its_gateway
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  RETURN NULL;
END
$$;

-- Those that were passed over before. The worker decides again what comes next for each.
UPDATE collections SET state = 'scheduled', next_attempt_at = collections.due_at, updated_at = now(), gateway = chargeable.gateway
FROM invoices CROSS JOIN LATERAL source_to_charge(invoices.company_id, invoices.method) AS chargeable, payments
WHERE collections.state = 'awaiting_outcome'
  AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id
  AND payments.company_id = collections.company_id AND payments.id = collections.payment_id AND payments.state IN ('captured', 'failed');
UPDATE collections SET state = 'scheduled', next_attempt_at = collections.due_at, updated_at = now(), gateway = chargeable.gateway
FROM invoices CROSS JOIN LATERAL source_to_charge(invoices.company_id, invoices.method) AS chargeable
WHERE collections.state = 'awaiting_payment_method'
  AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id
  AND chargeable.id IS NOT NULL AND chargeable.id IS DISTINCT FROM coalesce(collections.card_id, collections.paypal_account_id)
  AND collects_automatically(collections.company_id, invoices.method);
