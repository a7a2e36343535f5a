-- Thresholds of usage, which are told of once a period; and alerts as events.

-- When the usage of a billing period reaches the quantity, that is told. Never changed: a threshold is added or removed.
CREATE TABLE usage_thresholds (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  -- A path, or a prefix of paths with a * behind it.
  path text COLLATE "C" NOT NULL,
  quantity bigint NOT NULL CHECK (quantity > 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- The operator names a threshold by its id alone.
CREATE INDEX usage_thresholds_by_id ON usage_thresholds (id);

-- That it was reached, written with the event that tells of it. The key lets that happen once in each period; nothing takes it back.
CREATE TABLE usage_threshold_crossings (
  company_id uuid NOT NULL REFERENCES companies (id),
  threshold_id uuid NOT NULL,
  -- The month, such as 2026-10.
  period text NOT NULL,
  -- What was used by then.
  quantity numeric NOT NULL,
  reached_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, threshold_id, period),
  FOREIGN KEY (company_id, threshold_id) REFERENCES usage_thresholds (company_id, id) ON DELETE CASCADE
);

-- Companies with thresholds whose usage has to be compared with them. The rollup adds a row in the statement that moves the usage, so
-- that none is forgotten; whoever looks takes the rows away first. Rows are only added, so nobody waits for anybody.
CREATE TABLE usage_threshold_checks (
  company_id uuid NOT NULL REFERENCES companies (id),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- The hours that the usage is of.
  first_hour timestamptz(3) NOT NULL,
  last_hour timestamptz(3) NOT NULL,
  -- Not before this time of the billing clock: usage may come a little before its month begins.
  due_at timestamptz(3) NOT NULL DEFAULT '-infinity',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

GRANT SELECT, INSERT, DELETE ON usage_thresholds TO paydesk_application;
GRANT SELECT, INSERT ON usage_threshold_crossings TO paydesk_application;
GRANT SELECT, INSERT, DELETE ON usage_threshold_checks TO paydesk_application;
-- Without it no row can be locked.
GRANT UPDATE (due_at) ON usage_threshold_checks TO paydesk_application;

-- An alert as the API shows it.
CREATE FUNCTION alert_json(alert alerts) RETURNS json
  LANGUAGE sql STABLE
  RETURN json_build_object(
    'id', (alert).id, 'companyId', (alert).company_id, 'kind', (alert).kind, 'paymentId', (alert).payment_id,
    'invoiceId', (SELECT invoice_id FROM payments WHERE company_id = (alert).company_id AND id = (alert).payment_id),
    'message', (alert).message, 'acknowledgedAt', iso_instant((alert).acknowledged_at), 'createdAt', iso_instant((alert).created_at)
  );

-- Whoever writes an alert, the operator's webhook endpoints are told of it, and no company's: it is the operator who has to look. The
-- event has the alert's own id.
CREATE FUNCTION record_alert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO events (company_id, id, type, data) VALUES (operator, NEW.id, 'alert.created', alert_json(NEW));
  INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, next_attempt_at)
  SELECT company_id, id, NEW.id, operator, now() FROM webhook_endpoints
  WHERE company_id = operator AND status <> 'disabled'
    AND (types = '{}' OR 'alert.created' = ANY(types) OR 'alert.*' = ANY(types));
  RETURN NULL;
END
$$;
CREATE TRIGGER alerts_recorded AFTER INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION record_alert();
