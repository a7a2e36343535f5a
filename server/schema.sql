-- Made by `npm run schema` from the migrations; do not edit.

CREATE OR REPLACE FUNCTION public.count_invoices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Ordered, so that two transactions lock the rows in the same order.
  INSERT INTO invoice_counts AS counts (company_id, status, method, invoices, changes)
  SELECT company_id, status, method, CASE TG_ARGV[0] WHEN 'added' THEN count(*) ELSE -count(*) END, 1
  FROM changed
  GROUP BY company_id, status, method
  ORDER BY company_id, status, method
  ON CONFLICT (company_id, status, method)
    DO UPDATE SET invoices = counts.invoices + excluded.invoices, changes = counts.changes + 1;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.count_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes)
  SELECT company_id, pg_backend_pid() % 16, CASE TG_OP WHEN 'INSERT' THEN count(*) WHEN 'DELETE' THEN -count(*) ELSE 0 END, 1
  FROM changed
  GROUP BY company_id
  ON CONFLICT (company_id, shard)
    DO UPDATE SET labels = counts.labels + excluded.labels, changes = counts.changes + 1;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.fold_case(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN replace(replace(lower(upper(lower((value COLLATE "und-x-icu")))), 'ς'::text, 'σ'::text), 'i̇'::text, 'i'::text);

CREATE OR REPLACE FUNCTION public.iso_instant(instant timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((instant AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

CREATE OR REPLACE FUNCTION public.mask_card_number(first_four text, last_four text, number_length integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((first_four || repeat('*'::text, (number_length - 8))) || last_four);

CREATE OR REPLACE FUNCTION public.money_text(amount numeric, minor_unit_digits integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (round(amount, GREATEST(2, minor_unit_digits)))::text;

CREATE TABLE addresses (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  first_name text NOT NULL DEFAULT ''::text,
  last_name text NOT NULL DEFAULT ''::text,
  street_address text NOT NULL DEFAULT ''::text,
  apt_number text NOT NULL DEFAULT ''::text,
  state text NOT NULL DEFAULT ''::text,
  country text NOT NULL DEFAULT ''::text,
  zip_code text NOT NULL DEFAULT ''::text,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT addresses_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT addresses_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT, UPDATE ON addresses TO paydesk_application;

CREATE TABLE alerts (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  payment_id uuid NOT NULL,
  message text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT alerts_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT alerts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT alerts_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id)
);
CREATE INDEX alerts_by_kind ON public.alerts USING btree (kind, created_at);
GRANT INSERT, SELECT ON alerts TO paydesk_application;

CREATE TABLE billing_information (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  in_store_credit numeric(20,4) NOT NULL DEFAULT 0,
  first_name text NOT NULL DEFAULT ''::text,
  last_name text NOT NULL DEFAULT ''::text,
  phone_number text NOT NULL DEFAULT ''::text,
  country text NOT NULL DEFAULT ''::text,
  address text NOT NULL DEFAULT ''::text,
  zip_code text NOT NULL DEFAULT ''::text,
  province text NOT NULL DEFAULT ''::text,
  city text NOT NULL DEFAULT ''::text,
  organization text NOT NULL DEFAULT ''::text,
  tax_id text NOT NULL DEFAULT ''::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT billing_information_one_record UNIQUE (company_id),
  CONSTRAINT billing_information_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT billing_information_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT billing_information_in_store_credit_check CHECK ((in_store_credit >= (0)::numeric))
);
GRANT INSERT, SELECT, UPDATE ON billing_information TO paydesk_application;

CREATE TABLE cards (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  address_id uuid NOT NULL,
  method text NOT NULL DEFAULT 'Card'::text,
  is_default boolean NOT NULL DEFAULT false,
  country text NOT NULL,
  exp_month smallint NOT NULL,
  exp_year smallint NOT NULL,
  card_name text NOT NULL,
  brand text NOT NULL,
  first_four text NOT NULL,
  last_four text NOT NULL,
  number_length smallint NOT NULL,
  fingerprint bytea NOT NULL,
  fingerprint_key_version integer NOT NULL,
  gateway text NOT NULL,
  gateway_token text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT cards_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT cards_company_id_address_id_fkey FOREIGN KEY (company_id, address_id) REFERENCES addresses(company_id, id),
  CONSTRAINT cards_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT cards_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
  CONSTRAINT cards_exp_year_check CHECK (((exp_year >= 2000) AND (exp_year <= 2099))),
  CONSTRAINT cards_first_four_check CHECK ((first_four ~ '^\d{4}$'::text)),
  CONSTRAINT cards_last_four_check CHECK ((last_four ~ '^\d{4}$'::text)),
  CONSTRAINT cards_method_check CHECK ((method = 'Card'::text)),
  CONSTRAINT cards_number_length_check CHECK (((number_length >= 12) AND (number_length <= 19)))
);
CREATE UNIQUE INDEX cards_one_default ON public.cards USING btree (company_id) WHERE (is_default AND (deleted_at IS NULL));
GRANT INSERT, SELECT, UPDATE ON cards TO paydesk_application;

CREATE TABLE companies (
  id uuid NOT NULL,
  name text NOT NULL DEFAULT ''::text,
  phone text NOT NULL DEFAULT ''::text,
  address text NOT NULL DEFAULT ''::text,
  describe text NOT NULL DEFAULT ''::text,
  email text NOT NULL DEFAULT ''::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT companies_pkey PRIMARY KEY (id)
);
GRANT INSERT, SELECT, UPDATE ON companies TO paydesk_application;

CREATE TABLE idempotency_keys (
  company_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status integer,
  body text,
  locked_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (company_id, method, path, key)
);
CREATE INDEX idempotency_keys_by_time ON public.idempotency_keys USING btree (created_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotency_keys TO paydesk_application;

CREATE TABLE invoice_counts (
  company_id uuid NOT NULL,
  status text NOT NULL,
  method text NOT NULL,
  invoices bigint NOT NULL,
  changes bigint NOT NULL,
  CONSTRAINT invoice_counts_pkey PRIMARY KEY (company_id, status, method),
  CONSTRAINT invoice_counts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT, UPDATE ON invoice_counts TO paydesk_application;

CREATE TABLE invoice_numbers (
  company_id uuid NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT invoice_numbers_pkey PRIMARY KEY (company_id),
  CONSTRAINT invoice_numbers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT, UPDATE ON invoice_numbers TO paydesk_application;

CREATE TABLE invoices (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  number text NOT NULL,
  bill_to_id uuid NOT NULL,
  payment_id uuid,
  start_at timestamp(3) with time zone NOT NULL,
  end_at timestamp(3) with time zone NOT NULL,
  method text NOT NULL,
  status text NOT NULL DEFAULT 'Processing'::text,
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  tax_rate numeric NOT NULL,
  sub_total numeric(20,4) NOT NULL,
  tax numeric(20,4) NOT NULL,
  total numeric(20,4) NOT NULL,
  details json NOT NULL,
  metadata jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT invoices_number_taken UNIQUE (company_id, number),
  CONSTRAINT invoices_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_company_id_bill_to_id_fkey FOREIGN KEY (company_id, bill_to_id) REFERENCES billing_information(company_id, id),
  CONSTRAINT invoices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT invoices_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT invoices_check CHECK ((end_at > start_at)),
  CONSTRAINT invoices_check1 CHECK ((total = (sub_total + tax))),
  CONSTRAINT invoices_check2 CHECK (((status = 'Succeeded'::text) = (payment_id IS NOT NULL))),
  CONSTRAINT invoices_method_check CHECK ((method = ANY (ARRAY['Card'::text, 'paypal'::text]))),
  CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['Processing'::text, 'Succeeded'::text, 'Failed'::text]))),
  CONSTRAINT invoices_total_check CHECK ((total >= (0)::numeric))
);
CREATE INDEX invoices_by_method ON public.invoices USING btree (company_id, method, start_at, id);
CREATE INDEX invoices_by_period ON public.invoices USING btree (company_id, start_at, id, total, end_at);
CREATE INDEX invoices_by_status ON public.invoices USING btree (company_id, status, start_at, id);
CREATE INDEX invoices_by_total ON public.invoices USING btree (company_id, total);
CREATE TRIGGER invoices_added AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('added');
CREATE TRIGGER invoices_changed_from AFTER UPDATE ON public.invoices REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('removed');
CREATE TRIGGER invoices_changed_to AFTER UPDATE ON public.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('added');
GRANT INSERT, SELECT, UPDATE ON invoices TO paydesk_application;

CREATE TABLE label_counts (
  company_id uuid NOT NULL,
  shard smallint NOT NULL,
  labels bigint NOT NULL,
  changes bigint NOT NULL,
  CONSTRAINT label_counts_pkey PRIMARY KEY (company_id, shard),
  CONSTRAINT label_counts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT, UPDATE ON label_counts TO paydesk_application;

CREATE TABLE labels (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_by text NOT NULL,
  updated_by text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_case(name)) STORED,
  description text COLLATE "und-x-icu" NOT NULL,
  color text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT labels_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT labels_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT labels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX labels_by_creation ON public.labels USING btree (company_id, created_at, id);
CREATE INDEX labels_by_name ON public.labels USING btree (company_id, name, id);
CREATE INDEX labels_search ON public.labels USING gin (company_id, name_key gin_trgm_ops);
CREATE UNIQUE INDEX labels_name_taken ON public.labels USING btree (company_id, name_key);
CREATE TRIGGER labels_deleted AFTER DELETE ON public.labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER labels_inserted AFTER INSERT ON public.labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER labels_updated AFTER UPDATE ON public.labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
GRANT DELETE, INSERT, SELECT, UPDATE ON labels TO paydesk_application;

CREATE TABLE login_failures (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  email_hash bytea NOT NULL,
  address text NOT NULL,
  failed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT login_failures_pkey PRIMARY KEY (id)
);
CREATE INDEX login_failures_by_address ON public.login_failures USING btree (address, failed_at);
CREATE INDEX login_failures_by_email ON public.login_failures USING btree (email_hash, failed_at);
CREATE INDEX login_failures_by_time ON public.login_failures USING btree (failed_at);
GRANT DELETE, INSERT, SELECT ON login_failures TO paydesk_application;

CREATE TABLE operator_keys (
  id boolean NOT NULL DEFAULT true,
  key_hash bytea NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT operator_keys_pkey PRIMARY KEY (id),
  CONSTRAINT operator_keys_id_check CHECK (id)
);
GRANT INSERT, SELECT, UPDATE ON operator_keys TO paydesk_application;

CREATE TABLE payments (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  card_id uuid,
  method text NOT NULL,
  gateway text NOT NULL,
  gateway_token text,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  state text NOT NULL,
  gateway_payment_id text,
  decline_code text,
  failure_reason text,
  reconcile_at timestamp(3) with time zone,
  reconcile_count integer NOT NULL DEFAULT 0,
  last_reconciled_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT payments_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT payments_company_id_card_id_fkey FOREIGN KEY (company_id, card_id) REFERENCES cards(company_id, id),
  CONSTRAINT payments_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT payments_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT payments_amount_minor_check CHECK ((amount_minor >= 0)),
  CONSTRAINT payments_check CHECK (((state = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT payments_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['declined'::text, 'not_sent'::text, 'rejected'::text, 'canceled'::text]))),
  CONSTRAINT payments_method_check CHECK ((method = ANY (ARRAY['Card'::text, 'paypal'::text]))),
  CONSTRAINT payments_state_check CHECK ((state = ANY (ARRAY['created'::text, 'sending'::text, 'unknown'::text, 'needs_review'::text, 'captured'::text, 'failed'::text])))
);
CREATE INDEX payments_of_invoice ON public.payments USING btree (company_id, invoice_id, created_at, id);
CREATE INDEX payments_to_reconcile ON public.payments USING btree (reconcile_at) WHERE (state = ANY (ARRAY['created'::text, 'sending'::text, 'unknown'::text]));
CREATE UNIQUE INDEX payments_gateway_object_taken ON public.payments USING btree (gateway, gateway_payment_id) WHERE (gateway_payment_id IS NOT NULL);
CREATE UNIQUE INDEX payments_one_live ON public.payments USING btree (company_id, invoice_id) WHERE (state <> 'failed'::text);
GRANT INSERT, SELECT, UPDATE ON payments TO paydesk_application;

CREATE TABLE schema_migrations (
  version integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);
GRANT SELECT ON schema_migrations TO paydesk_application;

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO paydesk_application;

CREATE TABLE users (
  id uuid NOT NULL,
  company_id uuid,
  role text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  password_hash text NOT NULL,
  phone text NOT NULL DEFAULT ''::text,
  country text NOT NULL DEFAULT ''::text,
  city text NOT NULL DEFAULT ''::text,
  avatar text NOT NULL DEFAULT ''::text,
  language text NOT NULL DEFAULT ''::text,
  timezone text NOT NULL DEFAULT ''::text,
  default_app text NOT NULL DEFAULT ''::text,
  disabled_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT users_email_key UNIQUE (email_key),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT users_check CHECK (((role = 'Customer'::text) = (company_id IS NULL))),
  CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['Admin'::text, 'Customer'::text])))
);
CREATE INDEX users_by_company ON public.users USING btree (company_id, created_at);
GRANT INSERT, SELECT, UPDATE ON users TO paydesk_application;
