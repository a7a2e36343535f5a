-- Cards and accounts that a gateway refuses while they are saved are counted with the charges that the bank refuses: whoever tries cards
-- that are not theirs finds out as much by either.

ALTER TABLE asked_charges ADD COLUMN id uuid;
UPDATE asked_charges SET id = payment_id;
ALTER TABLE asked_charges
  DROP CONSTRAINT asked_charges_pkey,
  ALTER COLUMN id SET NOT NULL,
  -- Both are null for what is saved.
  ALTER COLUMN payment_id DROP NOT NULL,
  ALTER COLUMN invoice_id DROP NOT NULL,
  ADD PRIMARY KEY (company_id, id),
  ADD CHECK ((payment_id IS NULL) = (invoice_id IS NULL));

CREATE OR REPLACE FUNCTION note_asked_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'unknown' OR (NEW.state = 'failed' AND NEW.failure_reason IN ('declined', 'rejected')) THEN
    UPDATE asked_charges SET state = CASE NEW.state WHEN 'unknown' THEN 'unknown' ELSE 'refused' END
    WHERE company_id = NEW.company_id AND id = NEW.id;
  ELSE
    DELETE FROM asked_charges WHERE company_id = NEW.company_id AND id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

-- An alert may be about no payment.
ALTER TABLE alerts ALTER COLUMN payment_id DROP NOT NULL;
