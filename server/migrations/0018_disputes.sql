-- Disputes: a cardholder wants money back through the bank, and the gateway takes it from us until that is decided.

-- Each look at a gateway takes a number before it asks, so that what an earlier look saw never replaces what a later one saw.
CREATE SEQUENCE dispute_looks;

CREATE TABLE disputes (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  payment_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_dispute_id text NOT NULL,
  -- As the gateway says it: won and lost are decided by the bank, closed ended otherwise.
  state text NOT NULL CHECK (state IN ('needs_response', 'under_review', 'won', 'lost', 'closed')),
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL,
  reason text NOT NULL,
  -- What the gateway has taken from us and not given back: the sum of the movements, kept by their trigger.
  withdrawn_minor bigint NOT NULL DEFAULT 0,
  look bigint NOT NULL,
  -- By the gateway's clock.
  opened_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  -- One about several payments is a row for each.
  CONSTRAINT disputes_gateway_object_taken UNIQUE (gateway, gateway_dispute_id, payment_id),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX disputes_of_payment ON disputes (company_id, payment_id, id);
CREATE INDEX disputes_by_id ON disputes (id);
CREATE INDEX disputes_by_time ON disputes (gateway, opened_at, id);

-- How the money of a dispute moved. The gateway withdraws and reinstates, each with an id of its own, which counts once; while the
-- dispute is lost, what is withdrawn is a loss, and is recovered from it should the dispute be opened again.
CREATE TABLE dispute_movements (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  dispute_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('withdrawn', 'reinstated', 'lost', 'recovered')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  gateway_movement_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT dispute_movements_taken UNIQUE (company_id, dispute_id, gateway_movement_id),
  FOREIGN KEY (company_id, dispute_id) REFERENCES disputes (company_id, id),
  CHECK ((kind IN ('withdrawn', 'reinstated')) = (gateway_movement_id IS NOT NULL))
);

-- As with the other postings, the functions work as the owner: the service can neither invent a posting nor say what is withdrawn.
CREATE FUNCTION post_dispute_movement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  disputed disputes := (
    SELECT disputes FROM disputes WHERE company_id = NEW.company_id AND id = NEW.dispute_id
  );
  taken_minor bigint := CASE NEW.kind WHEN 'withdrawn' THEN NEW.amount_minor WHEN 'reinstated' THEN -NEW.amount_minor ELSE 0 END;
  lost_minor bigint := CASE NEW.kind WHEN 'lost' THEN NEW.amount_minor WHEN 'recovered' THEN -NEW.amount_minor ELSE 0 END;
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'dispute_' || NEW.kind, line.account, disputed.currency, line.amount_minor, disputed.invoice_id
  FROM (VALUES
    ('disputed', taken_minor - lost_minor), ('cash:' || disputed.gateway, -taken_minor), ('dispute_losses', lost_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  IF taken_minor <> 0 THEN
    UPDATE payments SET withdrawn_minor = withdrawn_minor + taken_minor
    WHERE company_id = NEW.company_id AND id = disputed.payment_id;
    UPDATE disputes SET withdrawn_minor = withdrawn_minor + taken_minor
    WHERE company_id = NEW.company_id AND id = NEW.dispute_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER dispute_movements_posted AFTER INSERT ON dispute_movements
  FOR EACH ROW EXECUTE FUNCTION post_dispute_movement();

-- While a dispute is lost, all that is withdrawn is a loss; else nothing of it is.
CREATE FUNCTION keep_dispute_losses() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  lost_minor bigint := (
    SELECT coalesce(sum(CASE kind WHEN 'lost' THEN amount_minor WHEN 'recovered' THEN -amount_minor END), 0)
    FROM dispute_movements WHERE company_id = NEW.company_id AND dispute_id = NEW.id
  );
  more_minor bigint := CASE NEW.state WHEN 'lost' THEN greatest(NEW.withdrawn_minor, 0) ELSE 0 END - lost_minor;
BEGIN
  IF more_minor <> 0 THEN
    INSERT INTO dispute_movements (company_id, id, dispute_id, kind, amount_minor)
    VALUES (NEW.company_id, gen_random_uuid(), NEW.id, CASE WHEN more_minor > 0 THEN 'lost' ELSE 'recovered' END, abs(more_minor));
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER disputes_losses_kept AFTER UPDATE OF state, withdrawn_minor ON disputes
  FOR EACH ROW EXECUTE FUNCTION keep_dispute_losses();

DO $$
DECLARE
  poster text;
BEGIN
  FOREACH poster IN ARRAY ARRAY['post_dispute_movement', 'keep_dispute_losses'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', poster, current_schema());
  END LOOP;
END
$$;

-- The Dispute of the API, wherever it is shown.
CREATE FUNCTION dispute_json(dispute disputes) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', dispute.id, 'companyId', dispute.company_id, 'paymentId', dispute.payment_id, 'invoiceId', dispute.invoice_id,
    'gateway', dispute.gateway, 'gatewayDisputeId', dispute.gateway_dispute_id,
    'status', CASE dispute.state
      WHEN 'needs_response' THEN 'NeedsResponse' WHEN 'under_review' THEN 'UnderReview' WHEN 'won' THEN 'Won'
      WHEN 'lost' THEN 'Lost' ELSE 'Closed'
    END,
    'amount', money_text(dispute.amount_minor / 10::numeric ^ minor_unit_digits, minor_unit_digits),
    'withdrawnAmount', money_text(dispute.withdrawn_minor / 10::numeric ^ minor_unit_digits, minor_unit_digits),
    'currency', dispute.currency, 'reason', dispute.reason, 'openedAt', iso_instant(dispute.opened_at),
    'createdAt', iso_instant(dispute.created_at), 'updatedAt', iso_instant(dispute.updated_at)
  )
  FROM invoices WHERE company_id = dispute.company_id AND id = dispute.invoice_id
$$;

GRANT USAGE ON SEQUENCE dispute_looks TO paydesk_application;
GRANT SELECT ON disputes, dispute_movements TO paydesk_application;
GRANT INSERT (company_id, id, payment_id, invoice_id, gateway, gateway_dispute_id, state, amount_minor, currency, reason, look, opened_at)
  ON disputes TO paydesk_application;
GRANT UPDATE (state, amount_minor, reason, look, updated_at) ON disputes TO paydesk_application;
GRANT INSERT (company_id, id, dispute_id, kind, amount_minor, gateway_movement_id) ON dispute_movements TO paydesk_application;
