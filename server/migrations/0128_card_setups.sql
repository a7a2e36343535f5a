-- Cards that are saved in the gateway's own fields. A row with `used_at` stays, so that no setup is saved twice.
CREATE TABLE card_setups (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_setup_id text NOT NULL,
  method text NOT NULL DEFAULT 'Card' CHECK (method = 'Card'),
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '24 hours',
  PRIMARY KEY (company_id, id)
);
CREATE INDEX card_setups_unused ON card_setups (expires_at) WHERE used_at IS NULL;
COMMENT ON TABLE card_setups IS 'Cards that are being saved in the fields of a gateway. The client secret is not kept.';
GRANT SELECT, INSERT, UPDATE, DELETE ON card_setups TO paydesk_application;

-- Such a card shows its last four digits alone.
ALTER TABLE cards DROP CONSTRAINT cards_first_four_check;
ALTER TABLE cards ADD CONSTRAINT cards_first_four_check CHECK (first_four ~ '^(\d{4})?$') NOT VALID;
CREATE OR REPLACE FUNCTION mask_card_number(first_four text, last_four text, number_length integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN first_four || repeat('*', number_length - 4 - length(first_four)) || last_four;
