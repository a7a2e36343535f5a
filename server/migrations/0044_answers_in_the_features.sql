-- The service writes the JSON of its answers itself, and an alert's event with the alert. What stays here is for a process of the version
-- before that runs on beside this one, and goes with the next version: this trigger, which records what such a process does not, and
-- the functions alert_json, billing_information_json, buyer_snapshot, dispute_json and seller_snapshot.
CREATE OR REPLACE FUNCTION record_alert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  IF EXISTS (SELECT FROM events WHERE company_id = operator AND id = NEW.id) THEN RETURN NULL; END IF;
  INSERT INTO events (company_id, id, type, data) VALUES (operator, NEW.id, 'alert.created', alert_json(NEW));
  INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, next_attempt_at)
  SELECT company_id, id, NEW.id, operator, now() FROM webhook_endpoints
  WHERE company_id = operator AND status <> 'disabled'
    AND (types = '{}' OR 'alert.created' = ANY(types) OR 'alert.*' = ANY(types));
  RETURN NULL;
END
$$;
