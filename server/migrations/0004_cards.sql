-- Addresses, cards and the billing-information record of a company.

CREATE TABLE addresses (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  street_address text NOT NULL DEFAULT '',
  apt_number text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  zip_code text NOT NULL DEFAULT '',
  -- A deleted address leaves the list; a card that uses it keeps showing it.
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE cards (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  address_id uuid NOT NULL,
  method text NOT NULL DEFAULT 'Card' CHECK (method IN ('Card')),
  is_default boolean NOT NULL DEFAULT false,
  country text NOT NULL,
  exp_month smallint NOT NULL CHECK (exp_month BETWEEN 1 AND 12),
  exp_year smallint NOT NULL CHECK (exp_year BETWEEN 2000 AND 2099),
  card_name text NOT NULL,
  brand text NOT NULL,
  first_four text NOT NULL CHECK (first_four ~ '^\d{4}$'),
  last_four text NOT NULL CHECK (last_four ~ '^\d{4}$'),
  number_length smallint NOT NULL CHECK (number_length BETWEEN 12 AND 19),
  -- HMAC of the number with a key that is not in the database.
  fingerprint bytea NOT NULL,
  fingerprint_key_version integer NOT NULL,
  gateway text NOT NULL,
  gateway_token text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  -- A deleted card leaves the list; the payments made with it keep naming it.
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, address_id) REFERENCES addresses (company_id, id)
);
CREATE UNIQUE INDEX cards_one_default ON cards (company_id) WHERE is_default AND deleted_at IS NULL;

-- First four digits, one asterisk for each hidden one, last four: the only form in which a number is ever shown.
CREATE FUNCTION mask_card_number(first_four text, last_four text, number_length integer) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN first_four || repeat('*', number_length - 8) || last_four;

CREATE TABLE billing_information (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  in_store_credit numeric(20, 4) NOT NULL DEFAULT 0 CHECK (in_store_credit >= 0),
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  phone_number text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  zip_code text NOT NULL DEFAULT '',
  province text NOT NULL DEFAULT '',
  city text NOT NULL DEFAULT '',
  organization text NOT NULL DEFAULT '',
  tax_id text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT billing_information_one_record UNIQUE (company_id)
);

GRANT SELECT, INSERT, UPDATE ON addresses, cards, billing_information TO paydesk_application;
