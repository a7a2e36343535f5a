-- A renewed card gets the whole schedule, as another card does: its declines are counted anew.

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
             AND (source <> coalesce(card_id, paypal_account_id) OR is_renewed)))
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  UPDATE collections SET gateway = its_gateway, updated_at = now()
  FROM invoices
  WHERE collections.company_id = NEW.company_id AND collections.state = 'scheduled' AND gateway <> its_gateway
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  RETURN NULL;
END
$$;
