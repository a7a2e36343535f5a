-- Made by `npm run schema` from the migrations; do not edit.

-- Adds to the sums what has changed, and deletes the sums of days of which no invoice is left.
CREATE OR REPLACE FUNCTION public.add_invoice_sum_changes()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('add_invoice_sum_changes'));
  WITH taken AS (DELETE FROM invoice_sum_changes RETURNING *)
  INSERT INTO invoice_sums AS sums (currency, minor_unit_digits, due_on, failed, invoices, amount)
  SELECT currency, minor_unit_digits, due_on, failed, sum(invoices), sum(amount) FROM taken GROUP BY 1, 2, 3, 4
  ON CONFLICT (currency, minor_unit_digits, due_on, failed)
  DO UPDATE SET invoices = sums.invoices + excluded.invoices, amount = sums.amount + excluded.amount;
  DELETE FROM invoice_sums WHERE invoices = 0;
END
$function$;

-- Creates the collection of each new invoice.
CREATE OR REPLACE FUNCTION public.begin_collections()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO collections (company_id, invoice_id, due_at, next_attempt_at, gateway)
  SELECT added.company_id, added.id, due_at, due_at, chargeable.gateway
  FROM added CROSS JOIN LATERAL source_to_charge(added.company_id, added.method, added.currency) AS chargeable
  ORDER BY added.company_id;
  RETURN NULL;
END
$function$;

-- Gives committed entries of a company their places at the end of its chain, with their numbers and hashes.
CREATE OR REPLACE FUNCTION public.chain_audit_entries(company uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  head audit_heads;
  entry audit_contents;
  new_hash bytea;
  moved uuid[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM audit_pending WHERE company_id = company) THEN RETURN 0; END IF;
  INSERT INTO audit_heads (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  -- Whoever chains the same company waits here. The statements below see what that transaction has chained.
  SELECT * INTO head FROM audit_heads WHERE company_id = company FOR UPDATE;
  FOR entry IN
    SELECT contents.* FROM (SELECT id FROM audit_pending WHERE company_id = company ORDER BY id LIMIT most) AS pending
    JOIN audit_contents AS contents ON contents.company_id = company AND contents.id = pending.id
    ORDER BY pending.id
  LOOP
    new_hash := sha256(convert_to(
      concat_ws(E'\n', coalesce(encode(head.hash, 'hex'), ''), head.entries + 1, entry.content::text), 'UTF8'));
    INSERT INTO audit_entries (company_id, sequence, id, previous_hash, hash, action, actor, target)
    VALUES (company, head.entries + 1, entry.id, head.hash, new_hash, entry.content ->> 'action',
            entry.content #>> '{actor,id}', entry.content #>> '{target,id}');
    head.entries := head.entries + 1;
    head.hash := new_hash;
    moved := moved || entry.id;
  END LOOP;
  DELETE FROM audit_pending WHERE company_id = company AND id = ANY (moved);
  UPDATE audit_heads SET entries = head.entries, hash = head.hash WHERE company_id = company;
  RETURN cardinality(moved);
END
$function$;

-- Refuses a statement whose postings do not add up to zero for each entry and currency.
CREATE OR REPLACE FUNCTION public.check_ledger_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM posted GROUP BY company_id, source_id, kind, currency HAVING sum(amount_minor) <> 0
  ) THEN
    RAISE EXCEPTION 'The postings of an entry do not come to zero.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_postings_balanced';
  END IF;
  RETURN NULL;
END
$function$;

-- Sums the postings of one more hour into ledger_balances.
CREATE OR REPLACE FUNCTION public.close_ledger_hour()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  closed timestamptz;
  next timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('close_ledger_hour'));
  SELECT coalesce(max(at), '-infinity') INTO closed FROM ledger_balances;
  SELECT date_trunc('hour', min(created_at), 'UTC') + interval '1 hour' INTO next FROM ledger_postings WHERE created_at >= closed;
  IF next IS NULL OR next > now() - interval '1 hour' THEN RETURN false; END IF;
  INSERT INTO ledger_balances (at, account, currency, amount_minor)
  SELECT next, account, currency, sum(amount_minor) FROM (
    SELECT account, currency, amount_minor FROM ledger_balances WHERE at = closed
    UNION ALL
    SELECT account, currency, amount_minor FROM ledger_postings WHERE created_at >= closed AND created_at < next
  ) AS parts
  GROUP BY account, currency;
  RETURN true;
END
$function$;

-- Whether the collection charges invoices of a method in a currency.
CREATE OR REPLACE FUNCTION public.collects_automatically(of_company_id uuid, of_method text, of_currency text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (SELECT ((companies.disabled_since IS NULL) AND ((companies.collection = 'automatic'::text) OR ((companies.collection = 'by_card'::text) AND CASE collects_automatically.of_method WHEN 'Card'::text THEN (EXISTS (SELECT FROM cards WHERE ((cards.company_id = companies.id) AND cards.is_default AND (cards.deleted_at IS NULL) AND ((cards.method = 'Card'::text) OR (collects_automatically.of_currency = 'EUR'::text))))) ELSE (EXISTS (SELECT FROM paypal_accounts accounts WHERE ((accounts.company_id = companies.id) AND accounts.is_default AND (accounts.deleted_at IS NULL)))) END))) FROM companies WHERE (companies.id = collects_automatically.of_company_id));

-- Counts an updated invoice under its new status and method, and changes the sums by what the update has changed.
CREATE OR REPLACE FUNCTION public.count_changed_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF OLD.status = NEW.status AND OLD.method = NEW.method THEN
    UPDATE invoice_counts SET changes = changes + 1
    WHERE company_id = NEW.company_id AND status = NEW.status AND method = NEW.method;
  ELSE
    -- Ordered, so that two transactions lock the rows in the same order.
    INSERT INTO invoice_counts AS counts (company_id, status, method, invoices, changes)
    SELECT NEW.company_id, status, method, difference, 1
    FROM (VALUES (OLD.status, OLD.method, -1), (NEW.status, NEW.method, 1)) AS changed (status, method, difference)
    ORDER BY status, method
    ON CONFLICT (company_id, status, method)
      DO UPDATE SET invoices = counts.invoices + excluded.invoices, changes = counts.changes + 1;
  END IF;
  IF (OLD.currency, OLD.minor_unit_digits, OLD.status, OLD.voided_at, OLD.credited_total, OLD.part_paid, OLD.total, OLD.due_at)
     IS DISTINCT FROM
     (NEW.currency, NEW.minor_unit_digits, NEW.status, NEW.voided_at, NEW.credited_total, NEW.part_paid, NEW.total, NEW.due_at) THEN
    INSERT INTO invoice_sum_changes (currency, minor_unit_digits, due_on, failed, invoices, amount)
    SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', sign,
           CASE WHEN due_on > '-infinity' THEN sign * due ELSE 0 END
    FROM (VALUES
      (-1, OLD.currency, OLD.minor_unit_digits, OLD.status, OLD.total - OLD.credited_total - OLD.part_paid,
       open_until(OLD.status, OLD.voided_at, OLD.credited_total, OLD.total, OLD.due_at)),
      (1, NEW.currency, NEW.minor_unit_digits, NEW.status, NEW.total - NEW.credited_total - NEW.part_paid,
       open_until(NEW.status, NEW.voided_at, NEW.credited_total, NEW.total, NEW.due_at))
    ) AS changed (sign, currency, minor_unit_digits, status, due, due_on);
  END IF;
  RETURN NULL;
END
$function$;

-- Counts a company’s invoices by status and method.
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

-- Counts the records of each label by type, and changes a number of the company whenever that changes.
CREATE OR REPLACE FUNCTION public.count_label_assignments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO label_assignment_counts AS counts (company_id, label_id, shard, agents, tickets, customers)
  SELECT company_id, label_id, pg_backend_pid() % 16, sign * agents, sign * tickets, sign * customers
  FROM (
    SELECT company_id, label_id, count(*) FILTER (WHERE type = 'agent') AS agents,
           count(*) FILTER (WHERE type = 'ticket') AS tickets, count(*) FILTER (WHERE type = 'customer') AS customers
    FROM changed
    GROUP BY company_id, label_id
  ) AS counted
  -- The counts of a label that is being deleted go with it.
  WHERE EXISTS (SELECT FROM labels WHERE labels.company_id = counted.company_id AND labels.id = counted.label_id)
  ORDER BY company_id, label_id
  ON CONFLICT (company_id, label_id, shard)
    DO UPDATE SET agents = counts.agents + excluded.agents, tickets = counts.tickets + excluded.tickets,
                  customers = counts.customers + excluded.customers;
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes, assignment_changes)
  SELECT company_id,
         coalesce(
           (SELECT shard FROM label_counts WHERE company_id = assigned.company_id ORDER BY shard LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
           (random() * 32767)::smallint
         ),
         0, 0, 1
  FROM (SELECT DISTINCT company_id FROM changed) AS assigned
  ON CONFLICT (company_id, shard) DO UPDATE SET assignment_changes = counts.assignment_changes + 1;
  RETURN NULL;
END
$function$;

-- Counts a company’s labels, and changes a number whenever they change.
CREATE OR REPLACE FUNCTION public.count_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes)
  SELECT company_id,
         coalesce(
           (SELECT shard FROM label_counts WHERE company_id = counted.company_id ORDER BY shard LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
           (random() * 32767)::smallint
         ),
         CASE TG_OP WHEN 'INSERT' THEN labels WHEN 'DELETE' THEN -labels ELSE 0 END, 1
  FROM (SELECT company_id, count(*) AS labels FROM changed GROUP BY company_id) AS counted
  ON CONFLICT (company_id, shard)
    DO UPDATE SET labels = counts.labels + excluded.labels, changes = counts.changes + 1;
  RETURN NULL;
END
$function$;

-- At the commit: counts the rows of all companies.
CREATE OR REPLACE FUNCTION public.count_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO row_counts AS counts (table_name, shard, counted)
  VALUES (TG_TABLE_NAME, pg_backend_pid() % 64, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
  ON CONFLICT (table_name, shard) DO UPDATE SET counted = counts.counted + excluded.counted;
  RETURN NULL;
END
$function$;

-- Creates the partitions of this month and the next two.
CREATE OR REPLACE FUNCTION public.create_usage_partitions()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    DECLARE
      month timestamp;
      partition text;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('create_usage_partitions'));
      FOR ahead IN 0..2 LOOP
        month := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead);
        partition := to_char(month, '"usage_events_"YYYY_MM');
        IF to_regclass(format('%I.%I', 'public', partition)) IS NULL THEN
          EXECUTE format('CREATE TABLE %I (LIKE usage_events INCLUDING ALL)', partition);
          EXECUTE format('ALTER TABLE usage_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            partition, month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        END IF;
      END LOOP;
      RETURN (month + interval '1 month') AT TIME ZONE 'UTC';
    END
    $function$;

-- The name of an invoice’s debt; computed for invoices that are older than the column.
CREATE OR REPLACE FUNCTION public.debt_of(invoice invoices)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(
    invoice.debt,
    (SELECT 'usage:' || invoice.company_id || ':' || period FROM billed_periods
     WHERE company_id = invoice.company_id AND invoice_id = invoice.id),
    'ref:' || invoice.company_id || ':' || invoice.id)
$function$;

-- Has the name and the e-mail of a company written to its customers at gateways again.
CREATE OR REPLACE FUNCTION public.describe_gateway_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE gateway_customers SET describe_at = now(), changed_at = now()
  WHERE company_id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  RETURN NULL;
END
$function$;

-- A name without case, by Unicode’s full case folding: ß equals ss, and ı, i, I and İ are one letter; texts are not normalized, and accents and width matter.
CREATE OR REPLACE FUNCTION public.fold_case(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN replace(replace(lower(upper(lower((value COLLATE "und-x-icu")))), 'ς'::text, 'σ'::text), 'i̇'::text, 'i'::text);

-- Empties what a company’s entries have about a person.
CREATE OR REPLACE FUNCTION public.forget_audit_person(company uuid, person uuid, email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  forgotten record;
  named uuid[] := ARRAY(
    SELECT id FROM audit_entries
    WHERE company_id = company AND persons ? 'target' AND lower((persons ->> 'target')::json ->> 'name') = lower(email)
    UNION ALL
    SELECT id FROM audit_contents
    WHERE company_id = company AND persons ? 'target' AND lower((persons ->> 'target')::json ->> 'name') = lower(email)
  );
BEGIN
  -- Two members may be in each other's entries: what is about a person is locked in the order of the chain, before it is changed.
  FOR forgotten IN
    SELECT id, actor IS NOT DISTINCT FROM person::text AS as_actor,
           target IS NOT DISTINCT FROM person::text OR id = ANY (named)
           OR (actor IS NOT DISTINCT FROM person::text AND action LIKE 'passkey.%') AS as_target
    FROM audit_entries
    WHERE company_id = company AND sequence IN (
      SELECT sequence FROM audit_entries WHERE company_id = company AND actor = person::text
      UNION
      SELECT sequence FROM audit_entries WHERE company_id = company AND target = person::text
      UNION
      SELECT sequence FROM audit_entries WHERE company_id = company AND id = ANY (named)
    )
    ORDER BY sequence FOR NO KEY UPDATE
  LOOP
    UPDATE audit_contents
    SET persons = persons - CASE WHEN forgotten.as_actor THEN 'actor' ELSE '' END - CASE WHEN forgotten.as_target THEN 'target' ELSE '' END
    WHERE company_id = company AND id = forgotten.id;
    UPDATE audit_entries
    SET persons = persons - CASE WHEN forgotten.as_actor THEN 'actor' ELSE '' END - CASE WHEN forgotten.as_target THEN 'target' ELSE '' END
    WHERE company_id = company AND id = forgotten.id AND persons IS NOT NULL;
  END LOOP;
END
$function$;

-- Empties the personal data in the events about a user who is deleted.
CREATE OR REPLACE FUNCTION public.forget_user_events(person uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  UPDATE events
  SET data = (data::jsonb || jsonb_build_object('first_name', '', 'last_name', '', 'email', '', 'phone', '', 'country', '', 'city', '',
                                                'avatar', ''))::json
  FROM users
  WHERE users.id = person AND type = 'user.created' AND data ->> 'id' = person::text
    AND events.created_at BETWEEN users.created_at - interval '1 second' AND users.created_at + interval '1 second';
$function$;

-- A name, and what is left of it from each of its words on.
CREATE OR REPLACE FUNCTION public.from_each_word(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(array_agg(substr(name, place)), '{}')
  FROM generate_series(1, char_length(name)) AS place
  WHERE place = 1 OR (
    substr(name, place, 1) ~ ('[[:alnum:]]' COLLATE "und-x-icu") AND substr(name, place - 1, 1) !~ ('[[:alnum:]]' COLLATE "und-x-icu")
  ) OR (substr(name, place, 1) !~ '\s' AND substr(name, place - 1, 1) ~ '\s')
$function$;

-- The method of the company’s next invoice.
CREATE OR REPLACE FUNCTION public.invoice_method(of_company_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN (SELECT CASE WHEN (companies.payment_method <> 'default'::text) THEN companies.payment_method WHEN (EXISTS (SELECT FROM cards WHERE ((cards.company_id = companies.id) AND cards.is_default AND (cards.deleted_at IS NULL) AND ((cards.method = 'Card'::text) OR (companies.billing_currency = 'EUR'::text))))) THEN 'Card'::text WHEN (EXISTS (SELECT FROM paypal_accounts accounts WHERE ((accounts.company_id = companies.id) AND accounts.is_default AND (accounts.deleted_at IS NULL)))) THEN 'paypal'::text WHEN (((SELECT source_to_charge.id FROM source_to_charge(companies.id, 'Card'::text, companies.billing_currency) source_to_charge(id, gateway)) IS NULL) AND ((SELECT source_to_charge.id FROM source_to_charge(companies.id, 'paypal'::text, companies.billing_currency) source_to_charge(id, gateway)) IS NOT NULL)) THEN 'paypal'::text ELSE 'Card'::text END AS "case" FROM companies WHERE (companies.id = invoice_method.of_company_id));

-- An instant as the API shows it.
CREATE OR REPLACE FUNCTION public.iso_instant(instant timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((instant AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

-- As the owner: updates the company’s balance, and refuses an entry that does not follow the last one or returns credit that its payment did not take.
CREATE OR REPLACE FUNCTION public.keep_credit_balance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO credit_balances (company_id, currency, balance_minor, entries) VALUES (NEW.company_id, NEW.currency, 0, 0)
  ON CONFLICT DO NOTHING;
  UPDATE credit_balances
  SET currency = NEW.currency, balance_minor = NEW.balance_minor, entries = NEW.number
  WHERE company_id = NEW.company_id AND entries = NEW.number - 1 AND balance_minor = NEW.balance_minor - NEW.amount_minor
    AND (currency = NEW.currency OR balance_minor = 0);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'This credit entry does not follow on the last one.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.kind = 'return' AND NOT EXISTS (
    SELECT 1 FROM credit_entries
    WHERE company_id = NEW.company_id AND payment_id = NEW.payment_id AND kind = 'consumption'
      AND amount_minor = -NEW.amount_minor AND currency = NEW.currency
  ) THEN
    RAISE EXCEPTION 'This payment did not take what it gives back.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$function$;

-- Writes the movement lost or recovered when a dispute ends or money moves after its end.
CREATE OR REPLACE FUNCTION public.keep_dispute_losses()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- Refuses a change of a refund that has ended.
CREATE OR REPLACE FUNCTION public.keep_ended_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'This refund has ended.' USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_end_once';
END
$function$;

-- Locks the payment, and refuses a refund of more than it took less what disputes withdrew; of a payment under review, a second refund.
CREATE OR REPLACE FUNCTION public.keep_refunds_within_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  paid payments;
BEGIN
  SELECT * INTO paid FROM payments
  WHERE company_id = NEW.company_id AND id = NEW.payment_id AND invoice_id = NEW.invoice_id AND gateway = NEW.gateway
    AND CASE WHEN NEW.returns_capture THEN state = 'needs_review' ELSE state = 'captured' AND currency = NEW.currency END
  FOR NO KEY UPDATE;
  IF NOT FOUND OR EXISTS (
    SELECT FROM refunds
    WHERE company_id = NEW.company_id AND payment_id = NEW.payment_id AND state <> 'failed'
    HAVING CASE
      WHEN NEW.returns_capture THEN count(*) > 0
      ELSE (NEW.amount_minor > 0
            AND coalesce(sum(amount_minor), 0) + NEW.amount_minor + greatest(paid.withdrawn_minor, 0) > paid.amount_minor)
        OR coalesce(sum(credit_minor), 0) + NEW.credit_minor > paid.credit_minor
    END
  ) THEN
    RAISE EXCEPTION 'This refund is more than what is left of its payment.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_within_payment';
  END IF;
  RETURN NEW;
END
$function$;

-- A card number with eight visible digits.
CREATE OR REPLACE FUNCTION public.mask_card_number(first_four text, last_four text, number_length integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((first_four || repeat('*'::text, ((number_length - 4) - length(first_four)))) || last_four);

-- An amount in minor units.
CREATE OR REPLACE FUNCTION public.minor_units(amount numeric, minor_unit_digits integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((amount * ((10)::numeric ^ (minor_unit_digits)::numeric)))::bigint;

-- An amount as the API shows it.
CREATE OR REPLACE FUNCTION public.money_text(amount numeric, minor_unit_digits integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (round(amount, GREATEST(2, minor_unit_digits)))::text;

-- Records what the limits against card testing count, when a charge that a person asked for ends.
CREATE OR REPLACE FUNCTION public.note_asked_charge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.state IN ('unknown', 'requires_action') OR (NEW.state = 'failed' AND NEW.failure_reason IN ('declined', 'rejected')) THEN
    UPDATE asked_charges SET state = CASE NEW.state WHEN 'failed' THEN 'refused' ELSE 'unknown' END
    WHERE company_id = NEW.company_id AND id = NEW.id;
  ELSE
    DELETE FROM asked_charges WHERE company_id = NEW.company_id AND id = NEW.id;
  END IF;
  RETURN NULL;
END
$function$;

-- The day (UTC) on which an open invoice is due; -infinity for one that is not open.
CREATE OR REPLACE FUNCTION public.open_until(status text, voided_at timestamp with time zone, credited_total numeric, total numeric, due_at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((status <> 'Succeeded'::text) AND (voided_at IS NULL) AND ((credited_total < total) OR (total = (0)::numeric))) THEN ((due_at AT TIME ZONE 'UTC'::text))::date ELSE '-infinity'::date END;

-- Posts the money that a gateway took, when a payment becomes captured or is inserted as captured; what was more than due as credit.
CREATE OR REPLACE FUNCTION public.post_capture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'payment_captured', line.account, NEW.currency, line.amount_minor, NEW.invoice_id
  FROM (VALUES
    ('cash:' || NEW.gateway, NEW.amount_minor + NEW.overpaid_minor), ('receivable', -NEW.amount_minor), ('credit', -NEW.overpaid_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  RETURN NULL;
END
$function$;

-- Posts granted or used credit; a refund and a capture of more than was due post their credit themselves.
CREATE OR REPLACE FUNCTION public.post_credit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  paid_invoice_id uuid := (SELECT invoice_id FROM payments WHERE company_id = NEW.company_id AND id = NEW.payment_id);
  carried_minor bigint := NEW.amount_minor - NEW.carried_tax_minor;
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id,
         CASE
           WHEN NEW.carried_tax_minor IS NOT NULL THEN 'credit_carried_over'
           WHEN NEW.kind = 'grant' THEN 'credit_granted'
           WHEN NEW.kind = 'correction' THEN 'credit_corrected'
           WHEN NEW.kind = 'consumption' THEN 'credit_consumed'
           ELSE 'credit_returned'
         END,
         line.account, NEW.currency, line.amount_minor, paid_invoice_id
  FROM (VALUES
    ('credit', -NEW.amount_minor),
    ('receivable', CASE WHEN NEW.kind IN ('consumption', 'return') THEN NEW.amount_minor END),
    ('goodwill', CASE WHEN NEW.kind IN ('grant', 'correction') AND NEW.carried_tax_minor IS NULL THEN NEW.amount_minor END),
    ('revenue', carried_minor),
    ('tax', NEW.carried_tax_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  RETURN NULL;
END
$function$;

-- Posts the amount of a credit note: against what is owed, or against what was paid.
CREATE OR REPLACE FUNCTION public.post_credit_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'credit_note_issued', line.account, invoices.currency,
         minor_units(line.amount, invoices.minor_unit_digits), NEW.invoice_id
  FROM invoices
  CROSS JOIN (VALUES
    ('revenue', NEW.sub_total), ('tax', NEW.tax),
    (CASE WHEN NEW.after_payment THEN 'refunds_due' ELSE 'receivable' END, -NEW.total)
  ) AS line (account, amount)
  WHERE invoices.company_id = NEW.company_id AND invoices.id = NEW.invoice_id AND line.amount <> 0;
  RETURN NULL;
END
$function$;

-- Posts the money that a dispute moved, and updates withdrawn_minor of the dispute and its payment.
CREATE OR REPLACE FUNCTION public.post_dispute_movement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;

-- Posts what the gateway had refunded of a capture that no invoice here gets.
CREATE OR REPLACE FUNCTION public.post_earlier_unallocated_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  SELECT nobody, NEW.id, 'refund_sent', account, currency, amount
  FROM unallocated_captures AS capture,
       LATERAL (VALUES ('unallocated', NEW.amount_minor), ('cash:' || gateway, -NEW.amount_minor)) AS posted (account, amount)
  WHERE capture.id = NEW.capture_id;
  RETURN NULL;
END
$function$;

-- Posts what a gateway took for a payment, its refund or its dispute.
CREATE OR REPLACE FUNCTION public.post_gateway_fee()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  VALUES
    (NEW.company_id, NEW.id, 'gateway_fee', 'gateway_fees', NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'gateway_fee', 'cash:' || NEW.gateway, NEW.currency, -NEW.amount_minor, NEW.invoice_id);
  RETURN NULL;
END
$function$;

-- Posts the amount of each invoice, with one statement for all invoices issued together.
CREATE OR REPLACE FUNCTION public.post_invoices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT issued.company_id, issued.id, 'invoice_issued', line.account, issued.currency, minor_units(line.amount, issued.minor_unit_digits),
         issued.id
  FROM issued
  CROSS JOIN LATERAL (VALUES ('receivable', issued.total), ('revenue', -issued.sub_total), ('tax', -issued.tax)) AS line (account, amount)
  WHERE line.amount <> 0;
  RETURN NULL;
END
$function$;

-- Posts a payout for no company, and turns it round when it has failed.
CREATE OR REPLACE FUNCTION public.post_payout()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
  posted_minor bigint := CASE TG_OP WHEN 'INSERT' THEN NEW.amount_minor ELSE -NEW.amount_minor END;
  kind text := CASE TG_OP WHEN 'INSERT' THEN 'payout' ELSE 'payout_failed' END;
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.id, kind, 'bank', NEW.currency, posted_minor),
    (nobody, NEW.id, kind, 'cash:' || NEW.gateway, NEW.currency, -posted_minor);
  RETURN NULL;
END
$function$;

-- Posts a succeeded refund, refuses one whose credit has changed, and adds it to the invoice’s refunded_total.
CREATE OR REPLACE FUNCTION public.post_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'refund_sent', line.account, NEW.currency, line.amount_minor, NEW.invoice_id
  FROM (VALUES
    ('refunds_due', NEW.amount_minor + NEW.credit_minor), ('cash:' || NEW.gateway, -NEW.amount_minor), ('credit', -NEW.credit_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  IF NEW.credit_minor IS DISTINCT FROM (
    SELECT coalesce(sum(amount_minor), 0) FROM credit_entries
    WHERE company_id = NEW.company_id AND refund_id = NEW.id AND currency = NEW.currency AND payment_id = NEW.payment_id
  ) THEN
    RAISE EXCEPTION 'This refund gives back other credit than it was written with.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_credit_given';
  END IF;
  UPDATE invoices
  SET refunded_total = refunded_total + (NEW.amount_minor + NEW.credit_minor) / 10::numeric ^ minor_unit_digits, updated_at = now()
  WHERE company_id = NEW.company_id AND id = NEW.invoice_id;
  RETURN NULL;
END
$function$;

-- Posts a capture that a review refunds, and its refund.
CREATE OR REPLACE FUNCTION public.post_returned_capture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  VALUES
    (NEW.company_id, NEW.payment_id, 'payment_captured', 'cash:' || NEW.gateway, NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.payment_id, 'payment_captured', 'refunds_due', NEW.currency, -NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'refund_sent', 'refunds_due', NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'refund_sent', 'cash:' || NEW.gateway, NEW.currency, -NEW.amount_minor, NEW.invoice_id);
  RETURN NULL;
END
$function$;

-- Posts a capture that no invoice here gets, for no company.
CREATE OR REPLACE FUNCTION public.post_unallocated_capture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.id, 'payment_captured', 'cash:' || NEW.gateway, NEW.currency, NEW.captured_minor),
    (nobody, NEW.id, 'payment_captured', 'unallocated', NEW.currency, -NEW.captured_minor);
  RETURN NULL;
END
$function$;

-- Posts the refund of a capture that no invoice here gets.
CREATE OR REPLACE FUNCTION public.post_unallocated_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.refund_id, 'refund_sent', 'unallocated', NEW.currency, NEW.amount_minor),
    (nobody, NEW.refund_id, 'refund_sent', 'cash:' || NEW.gateway, NEW.currency, -NEW.amount_minor);
  RETURN NULL;
END
$function$;

-- Posts the opposite of the voided invoice’s postings.
CREATE OR REPLACE FUNCTION public.post_void()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT company_id, source_id, 'invoice_voided', account, currency, -amount_minor, invoice_id
  FROM ledger_postings
  WHERE company_id = NEW.company_id AND source_id = NEW.id AND kind = 'invoice_issued';
  RETURN NULL;
END
$function$;

-- Refuses a change of an item that is on an invoice.
CREATE OR REPLACE FUNCTION public.refuse_change_of_invoiced_item()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'an item that is on an invoice is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

-- Deletes collections that were closed a year ago.
CREATE OR REPLACE FUNCTION public.remove_closed_collections(most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH removed AS (
    DELETE FROM collections WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM collections WHERE state = 'closed' AND updated_at < now() - interval '1 year' ORDER BY updated_at LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM removed
$function$;

-- Deletes alerts that were acknowledged two years ago.
CREATE OR REPLACE FUNCTION public.remove_old_alerts(most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH removed AS (
    DELETE FROM alerts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM alerts WHERE acknowledged_at < now() - interval '2 years' ORDER BY acknowledged_at LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM removed
$function$;

-- Deletes events older than 90 days.
CREATE OR REPLACE FUNCTION public.remove_old_events(most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
BEGIN ATOMIC
 WITH removed AS (
          DELETE FROM events
           WHERE ((events.company_id, events.id) IN ( SELECT events_1.company_id,
                     events_1.id
                    FROM events events_1
                   WHERE (events_1.created_at < (now() - '90 days'::interval))
                   ORDER BY events_1.created_at
                  LIMIT remove_old_events.most))
           RETURNING 1 AS "?column?"
         )
  SELECT (count(*))::integer AS count
    FROM removed;
END;

-- Deletes usage events of a month older than the retention, with their keys, and finally the month’s partition.
CREATE OR REPLACE FUNCTION public.remove_old_usage(years integer, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  oldest text;
  removed integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('remove_old_usage')) THEN RETURN 0; END IF;
  SELECT relname INTO oldest FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'usage_events'::regclass AND relname ~ '^usage_events_\d{4}_\d{2}$' ORDER BY relname LIMIT 1;
  IF oldest IS NULL
    OR to_date(right(oldest, 7), 'YYYY_MM') + interval '1 month' > (now() AT TIME ZONE 'UTC') - make_interval(years => years)
  THEN RETURN 0; END IF;
  INSERT INTO usage_retention (removed_until)
  VALUES ((to_date(right(oldest, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC')
  ON CONFLICT (id) DO UPDATE SET removed_until = EXCLUDED.removed_until
  WHERE usage_retention.removed_until < EXCLUDED.removed_until;
  EXECUTE format(
    'WITH old AS (
       DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I LIMIT %2$s)) RETURNING company_id, digest
     ), keys AS (
       DELETE FROM usage_event_keys AS known USING old WHERE known.company_id = old.company_id AND known.digest = old.digest
     )
     SELECT count(*) FROM old', oldest, most) INTO removed;
  IF removed > 0 THEN RETURN removed; END IF;
  EXECUTE format('DROP TABLE %I', oldest);
  RETURN most;
END
$function$;

-- Deletes the balances and the sums of months that an older posting makes wrong.
CREATE OR REPLACE FUNCTION public.reopen_ledger_hours()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  first timestamptz := (SELECT min(created_at) FROM posted);
BEGIN
  DELETE FROM ledger_balances WHERE at > first;
  IF EXISTS (SELECT FROM ledger_months WHERE up_to > first) THEN
    DELETE FROM ledger_months WHERE month >= date_trunc('month', first, 'UTC');
  END IF;
  RETURN NULL;
END
$function$;

-- Posts the opposite of an unallocated capture and its refund, when a company gets the capture.
CREATE OR REPLACE FUNCTION public.reverse_unallocated_capture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  SELECT company_id, source_id, CASE kind WHEN 'refund_sent' THEN 'payment_captured' ELSE 'refund_sent' END,
         account, currency, -amount_minor
  FROM ledger_postings
  WHERE company_id = '00000000-0000-0000-0000-000000000000'
    AND source_id IN (SELECT NEW.id UNION ALL SELECT id FROM unallocated_refunds WHERE capture_id = NEW.id);
  RETURN NULL;
END
$function$;

-- Keeps what the search finds a company by: its VAT number, as it was written and without what is between its letters and digits.
CREATE OR REPLACE FUNCTION public.search_billing_information()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_search_terms(
    new.company_id, 'billing_information', ARRAY[new.tax_id, regexp_replace(new.tax_id, '[^A-Za-z0-9]', '', 'g')]
  );
  RETURN NULL;
END
$function$;

-- Keeps what the search finds a company by: its name, e-mail and external id.
CREATE OR REPLACE FUNCTION public.search_company()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_search_terms(new.id, 'company', from_each_word(new.name) || ARRAY[new.email, coalesce(new.external_id, '')]);
  RETURN NULL;
END
$function$;

-- Keeps what the search finds a company by: the e-mail addresses of its members.
CREATE OR REPLACE FUNCTION public.search_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND old.company_id IS DISTINCT FROM new.company_id AND old.company_id IS NOT NULL THEN
    PERFORM set_search_terms(old.company_id, old.id::text, '{}');
  END IF;
  IF new.company_id IS NOT NULL THEN
    PERFORM set_search_terms(new.company_id, new.id::text, ARRAY[new.email]);
  END IF;
  RETURN NULL;
END
$function$;

-- Replaces what the search finds a company by, as far as it is of one source.
CREATE OR REPLACE FUNCTION public.set_search_terms(of_company uuid, of_source text, terms text[])
 RETURNS void
 LANGUAGE sql
AS $function$
  DELETE FROM company_search_terms WHERE company_id = of_company AND source = of_source;
  INSERT INTO company_search_terms (company_id, source, term)
  SELECT DISTINCT of_company, of_source, lower(given COLLATE "und-x-icu") FROM unnest(terms) AS given WHERE given <> '';
$function$;

-- The card, mandate or account that a charge of a company in this currency uses, with its gateway: the default one, or else the only one.
CREATE OR REPLACE FUNCTION public.source_to_charge(of_company_id uuid, of_method text, of_currency text)
 RETURNS TABLE(id uuid, gateway text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (bool_or(candidates.is_default) OR (count(*) = 1)) THEN (array_agg(candidates.id ORDER BY candidates.is_default DESC))[1]
             ELSE NULL::uuid
         END AS "case",
         CASE
             WHEN (bool_or(candidates.is_default) OR (count(*) = 1)) THEN (array_agg(candidates.gateway ORDER BY candidates.is_default DESC))[1]
             ELSE 'none'::text
         END AS "case"
    FROM ( SELECT sources.id,
             sources.gateway,
             sources.is_default
            FROM ( SELECT cards.id,
                     cards.gateway,
                     cards.is_default
                    FROM cards
                   WHERE ((cards.company_id = source_to_charge.of_company_id) AND (cards.deleted_at IS NULL) AND (source_to_charge.of_method = 'Card'::text) AND ((cards.method = 'Card'::text) OR (source_to_charge.of_currency = 'EUR'::text)))
                 UNION ALL
                  SELECT accounts.id,
                     accounts.gateway,
                     accounts.is_default
                    FROM paypal_accounts accounts
                   WHERE ((accounts.company_id = source_to_charge.of_company_id) AND (accounts.deleted_at IS NULL) AND (source_to_charge.of_method = 'paypal'::text))) sources
           ORDER BY sources.is_default DESC
          LIMIT 2) candidates;
END;

-- Adds new invoices to the sums.
CREATE OR REPLACE FUNCTION public.sum_invoices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO invoice_sum_changes (currency, minor_unit_digits, due_on, failed, invoices, amount)
  SELECT currency, minor_unit_digits, due_on, due_on > '-infinity' AND status = 'Failed', count(*),
         coalesce(sum(total - credited_total - part_paid) FILTER (WHERE due_on > '-infinity'), 0)
  FROM added CROSS JOIN LATERAL open_until(status, voided_at, credited_total, total, due_at) AS due_on
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END
$function$;

-- Adds the oldest hour of the ledger that is not in its month’s sums, an hour after its end, when no transaction of its time can be open any more; false when there is none.
CREATE OR REPLACE FUNCTION public.sum_ledger_hour()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  summed timestamptz;
  next timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('sum_ledger_hour'));
  SELECT coalesce(max(up_to), '-infinity') INTO summed FROM ledger_months;
  SELECT date_trunc('hour', min(created_at), 'UTC') + interval '1 hour' INTO next FROM ledger_postings WHERE created_at >= summed;
  IF next IS NULL OR next > now() - interval '1 hour' THEN RETURN false; END IF;
  INSERT INTO ledger_months AS months (month, kind, account, currency, amount_minor, up_to)
  SELECT date_trunc('month', next - interval '1 hour', 'UTC'), kind, account, currency, sum(amount_minor), next
  FROM ledger_postings WHERE created_at >= summed AND created_at < next
  GROUP BY kind, account, currency
  ON CONFLICT (month, kind, account, currency)
  DO UPDATE SET amount_minor = months.amount_minor + excluded.amount_minor, up_to = excluded.up_to;
  RETURN true;
END
$function$;

-- Tries nothing else to collect an invoice while a payment of it waits for its confirmation, or is a debit on its way.
CREATE OR REPLACE FUNCTION public.suspend_collection_by_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE collections
  SET state = CASE NEW.state WHEN 'processing' THEN 'awaiting_outcome' ELSE 'awaiting_confirmation' END,
      next_attempt_at = NULL, payment_id = NEW.id, updated_at = now()
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state <> 'closed';
  RETURN NULL;
END
$function$;

-- A new UUID version 7 (RFC 9562), for rows that a statement inserts from other rows.
CREATE OR REPLACE FUNCTION public.time_ordered_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (OVERLAY(OVERLAY(replace((gen_random_uuid())::text, '-'::text, ''::text) PLACING lpad(to_hex(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint), 12, '0'::text) FROM 1 FOR 12) PLACING '7'::text FROM 13 FOR 1))::uuid;

-- The part of an hour within a period that begins and ends on a quarter of an hour.
CREATE OR REPLACE FUNCTION public.usage_within(hour timestamp with time zone, quarter_1 bigint, quarter_2 bigint, quarter_3 bigint, quarter_4 bigint, period_start timestamp with time zone, period_end timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN ((hour >= period_start) AND ((hour + '01:00:00'::interval) <= period_end)) THEN (((quarter_1 + quarter_2) + quarter_3) + quarter_4) ELSE (((CASE WHEN ((hour >= period_start) AND (hour < period_end)) THEN quarter_1 ELSE (0)::bigint END + CASE WHEN (((hour + '00:15:00'::interval) >= period_start) AND ((hour + '00:15:00'::interval) < period_end)) THEN quarter_2 ELSE (0)::bigint END) + CASE WHEN (((hour + '00:30:00'::interval) >= period_start) AND ((hour + '00:30:00'::interval) < period_end)) THEN quarter_3 ELSE (0)::bigint END) + CASE WHEN (((hour + '00:45:00'::interval) >= period_start) AND ((hour + '00:45:00'::interval) < period_end)) THEN quarter_4 ELSE (0)::bigint END) END;

-- Makes a collection due when its payment ends.
CREATE OR REPLACE FUNCTION public.wake_collection_by_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id FOR NO KEY UPDATE;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = least(due_at, now()), updated_at = now(),
      gateway = (SELECT chargeable.gateway FROM source_to_charge(NEW.company_id, NEW.method, NEW.currency) AS chargeable)
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state IN ('awaiting_outcome', 'awaiting_confirmation')
    AND payment_id = NEW.id;
  RETURN NULL;
END
$function$;

-- Makes waiting collections due when the company’s setting is no longer manual.
CREATE OR REPLACE FUNCTION public.wake_collections_by_setting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.id AND state <> 'closed' ORDER BY invoice_id FOR NO KEY UPDATE;
  UPDATE collections SET state = 'scheduled', next_attempt_at = due_at, updated_at = now()
  WHERE company_id = NEW.id AND state = 'manual';
  RETURN NULL;
END
$function$;

-- Makes collections due that wait for another card or account, and updates their gateway.
CREATE OR REPLACE FUNCTION public.wake_collections_by_source()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  is_changed boolean := false;
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND state <> 'closed' ORDER BY invoice_id FOR NO KEY UPDATE;
  IF TG_TABLE_NAME = 'cards' AND TG_OP = 'UPDATE' THEN
    is_changed := (OLD.exp_year, OLD.exp_month) IS DISTINCT FROM (NEW.exp_year, NEW.exp_month);
  END IF;
  WITH chargeable AS MATERIALIZED (
    SELECT in_euro, source.id, source.gateway, coalesce(is_changed AND source.id = NEW.id, false) AS is_renewed
    FROM (VALUES (true, 'EUR'), (false, '')) AS kinds (in_euro, currency)
    CROSS JOIN LATERAL source_to_charge(NEW.company_id, TG_ARGV[0], currency) AS source
  )
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = collections.due_at, gateway = chargeable.gateway, updated_at = now(),
      declines = CASE WHEN is_renewed THEN 0 ELSE declines END
  FROM invoices JOIN chargeable ON in_euro = (invoices.currency = 'EUR')
  WHERE collections.company_id = NEW.company_id
    AND (collections.state IN ('manual', 'awaiting_payment_method')
         OR ((collections.state = 'exhausted' OR (collections.state = 'scheduled' AND declines > 0))
             AND (chargeable.id <> coalesce(card_id, paypal_account_id) OR is_renewed))
         OR (collections.state = 'awaiting_confirmation' AND TG_OP = 'UPDATE' AND chargeable.id <> (
           SELECT coalesce(payments.card_id, payments.paypal_account_id) FROM payments
           WHERE payments.company_id = collections.company_id AND payments.id = collections.payment_id)))
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  WITH chargeable AS MATERIALIZED (
    SELECT in_euro, source.gateway
    FROM (VALUES (true, 'EUR'), (false, '')) AS kinds (in_euro, currency)
    CROSS JOIN LATERAL source_to_charge(NEW.company_id, TG_ARGV[0], currency) AS source
  )
  UPDATE collections SET gateway = chargeable.gateway, updated_at = now()
  FROM invoices JOIN chargeable ON in_euro = (invoices.currency = 'EUR')
  WHERE collections.company_id = NEW.company_id AND collections.state = 'scheduled' AND collections.gateway <> chargeable.gateway
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  RETURN NULL;
END
$function$;

-- Billing addresses of cards; with deleted_at no longer listed, but still shown by their cards.
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

-- What a person has to look at (the nil UUID for what concerns no company), written with its event for the operator; only acknowledged_at ever changes.
CREATE TABLE alerts (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  payment_id uuid,
  message text NOT NULL,
  acknowledged_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  payment_invoice_id uuid,
  CONSTRAINT alerts_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT alerts_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT alerts_company_id_payment_invoice_id_fkey FOREIGN KEY (company_id, payment_invoice_id) REFERENCES invoices(company_id, id)
);
CREATE INDEX alerts_acknowledged ON public.alerts USING btree (acknowledged_at) WHERE (acknowledged_at IS NOT NULL);
CREATE INDEX alerts_by_id ON public.alerts USING btree (id);
CREATE INDEX alerts_by_kind ON public.alerts USING btree (kind, created_at);
CREATE INDEX alerts_open ON public.alerts USING btree (id) WHERE (acknowledged_at IS NULL);
GRANT INSERT, SELECT ON alerts TO paydesk_application;

-- SHA-256 of an API key of the company, what it grants, and who created it.
CREATE TABLE api_keys (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  key_hash bytea NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  permission jsonb NOT NULL,
  allowed_ips jsonb NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  CONSTRAINT api_keys_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT api_keys_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX api_keys_by_hash ON public.api_keys USING btree (key_hash);
GRANT DELETE, INSERT, SELECT, UPDATE ON api_keys TO paydesk_application;

-- Charges that a person asked for, and cards that were refused while they were saved: what the limits against card testing count; kept two hours.
CREATE TABLE asked_charges (
  company_id uuid NOT NULL,
  payment_id uuid,
  invoice_id uuid,
  network text NOT NULL,
  card_fingerprint bytea,
  state text NOT NULL DEFAULT 'open'::text,
  asked_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  CONSTRAINT asked_charges_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT asked_charges_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT asked_charges_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT asked_charges_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT asked_charges_check CHECK (((payment_id IS NULL) = (invoice_id IS NULL))),
  CONSTRAINT asked_charges_state_check CHECK ((state = ANY (ARRAY['open'::text, 'unknown'::text, 'refused'::text])))
);
CREATE INDEX asked_charges_of_card ON public.asked_charges USING btree (card_fingerprint, asked_at) WHERE (card_fingerprint IS NOT NULL);
CREATE INDEX asked_charges_of_company ON public.asked_charges USING btree (company_id, asked_at);
CREATE INDEX asked_charges_of_invoice ON public.asked_charges USING btree (company_id, invoice_id, asked_at);
CREATE INDEX asked_charges_of_network ON public.asked_charges USING btree (network, asked_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON asked_charges TO paydesk_application;

-- What the entries of the audit log say; append-only. Entries that were chained before this table existed have their content in audit_entries.
CREATE TABLE audit_contents (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  content json NOT NULL,
  persons jsonb NOT NULL,
  CONSTRAINT audit_contents_pkey PRIMARY KEY (company_id, id)
);
CREATE INDEX audit_contents_by_name ON public.audit_contents USING btree (company_id, lower((((persons ->> 'target'::text))::json ->> 'name'::text))) WHERE (persons ? 'target'::text);
CREATE INDEX audit_contents_by_request ON public.audit_contents USING btree (((content ->> 'requestId'::text)), id);
GRANT INSERT, SELECT ON audit_contents TO paydesk_application;

-- The chains of the audit log; the service’s role can only read them.
CREATE TABLE audit_entries (
  company_id uuid NOT NULL,
  sequence bigint NOT NULL,
  id uuid NOT NULL,
  content json,
  persons jsonb,
  previous_hash bytea,
  hash bytea NOT NULL,
  action text COLLATE "C" NOT NULL,
  actor text COLLATE "C",
  target text COLLATE "C",
  CONSTRAINT audit_entries_pkey PRIMARY KEY (company_id, sequence),
  CONSTRAINT audit_entries_check CHECK (((sequence = 1) = (previous_hash IS NULL)))
);
CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, company_id, id);
CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor, id) WHERE (actor IS NOT NULL);
CREATE INDEX audit_entries_by_name ON public.audit_entries USING btree (company_id, lower((((persons ->> 'target'::text))::json ->> 'name'::text))) WHERE (persons ? 'target'::text);
CREATE INDEX audit_entries_by_request ON public.audit_entries USING btree (((content ->> 'requestId'::text)), id) WHERE ((content ->> 'requestId'::text) IS NOT NULL);
CREATE INDEX audit_entries_by_target ON public.audit_entries USING btree (target, id) WHERE (target IS NOT NULL);
CREATE INDEX audit_entries_listed ON public.audit_entries USING btree (id);
CREATE INDEX audit_entries_of_company ON public.audit_entries USING btree (company_id, id);
GRANT SELECT ON audit_entries TO paydesk_application;

-- How many entries each chain has, and its last hash.
CREATE TABLE audit_heads (
  company_id uuid NOT NULL,
  entries bigint NOT NULL DEFAULT 0,
  hash bytea,
  CONSTRAINT audit_heads_pkey PRIMARY KEY (company_id)
);
GRANT SELECT ON audit_heads TO paydesk_application;

-- Entries of the audit log that no chain has yet; a function of the owner removes them.
CREATE TABLE audit_pending (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  CONSTRAINT audit_pending_pkey PRIMARY KEY (company_id, id)
);
GRANT INSERT, SELECT ON audit_pending TO paydesk_application;

-- The periods that a company was billed for, with or without an invoice, and the data for computing the invoice again; append-only.
CREATE TABLE billed_periods (
  company_id uuid NOT NULL,
  period text NOT NULL,
  run_id uuid NOT NULL,
  currency text NOT NULL,
  tax_rate numeric NOT NULL,
  late_usage_kind text NOT NULL,
  late_usage_days integer,
  late_after_period text,
  start_at timestamp(3) with time zone NOT NULL,
  end_at timestamp(3) with time zone NOT NULL,
  cutoff integer NOT NULL,
  invoice_id uuid,
  unpriced_paths json,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  late_at_own_rate boolean NOT NULL DEFAULT false,
  CONSTRAINT billed_periods_invoice_taken UNIQUE (company_id, invoice_id),
  CONSTRAINT billed_periods_start_taken UNIQUE (company_id, start_at),
  CONSTRAINT billed_periods_pkey PRIMARY KEY (company_id, period),
  CONSTRAINT billed_periods_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT billed_periods_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT billed_periods_company_id_late_after_period_fkey FOREIGN KEY (company_id, late_after_period) REFERENCES billed_periods(company_id, period),
  CONSTRAINT billed_periods_cutoff_fkey FOREIGN KEY (cutoff) REFERENCES usage_cutoffs(number),
  CONSTRAINT billed_periods_run_id_fkey FOREIGN KEY (run_id) REFERENCES billing_runs(id),
  CONSTRAINT billed_periods_check CHECK ((end_at > start_at)),
  CONSTRAINT billed_periods_check1 CHECK (((late_usage_kind = 'refuse'::text) = (late_usage_days IS NOT NULL))),
  CONSTRAINT billed_periods_late_usage_kind_check CHECK ((late_usage_kind = ANY (ARRAY['next_invoice'::text, 'refuse'::text, 'ignore'::text])))
);
CREATE INDEX billed_periods_invoiced ON public.billed_periods USING btree (currency, end_at) WHERE (invoice_id IS NOT NULL);
CREATE INDEX billed_periods_of_run ON public.billed_periods USING btree (run_id) INCLUDE (invoice_id);
CREATE INDEX billed_periods_unpriced ON public.billed_periods USING btree (run_id) WHERE (unpriced_paths IS NOT NULL);
GRANT INSERT, SELECT ON billed_periods TO paydesk_application;

-- What invoices say about the buyer; one for each company.
CREATE TABLE billing_information (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
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
  CONSTRAINT billing_information_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE TRIGGER billing_information_described AFTER UPDATE ON public.billing_information FOR EACH ROW WHEN ((((new.organization IS DISTINCT FROM old.organization) OR (new.first_name IS DISTINCT FROM old.first_name)) OR (new.last_name IS DISTINCT FROM old.last_name))) EXECUTE FUNCTION describe_gateway_customer('company_id');
CREATE TRIGGER billing_information_searched AFTER UPDATE ON public.billing_information FOR EACH ROW WHEN ((new.tax_id IS DISTINCT FROM old.tax_id)) EXECUTE FUNCTION search_billing_information();
CREATE TRIGGER billing_information_searched_new AFTER INSERT ON public.billing_information FOR EACH ROW WHEN ((new.tax_id <> ''::text)) EXECUTE FUNCTION search_billing_information();
GRANT INSERT, SELECT, UPDATE ON billing_information TO paydesk_application;

-- The operator’s corrections, with the values before and after; append-only.
CREATE TABLE billing_information_changes (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  changed_by text NOT NULL,
  before json NOT NULL,
  after json NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT billing_information_changes_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT billing_information_changes_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT ON billing_information_changes TO paydesk_application;

-- The invoices of a preview; deleted with it.
CREATE TABLE billing_preview_invoices (
  company_id uuid NOT NULL,
  preview_id uuid NOT NULL,
  start_at timestamp(3) with time zone NOT NULL,
  end_at timestamp(3) with time zone NOT NULL,
  method text NOT NULL,
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  sub_total numeric(20,4) NOT NULL,
  tax numeric(20,4) NOT NULL,
  total numeric(20,4) NOT NULL,
  sub_total_before numeric(20,4),
  outlier text,
  unpriced_paths json NOT NULL,
  CONSTRAINT billing_preview_invoices_pkey PRIMARY KEY (company_id, preview_id),
  CONSTRAINT billing_preview_invoices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT billing_preview_invoices_preview_id_fkey FOREIGN KEY (preview_id) REFERENCES billing_previews(id) ON DELETE CASCADE,
  CONSTRAINT billing_preview_invoices_outlier_check CHECK ((outlier = ANY (ARRAY['higher'::text, 'lower'::text, 'gone'::text])))
);
CREATE INDEX billing_preview_invoices_of_preview ON public.billing_preview_invoices USING btree (preview_id, company_id);
CREATE INDEX billing_preview_invoices_outliers ON public.billing_preview_invoices USING btree (preview_id, company_id) WHERE (outlier IS NOT NULL);
GRANT DELETE, INSERT, SELECT ON billing_preview_invoices TO paydesk_application;

-- What a run would issue; deleted after a week.
CREATE TABLE billing_previews (
  id uuid NOT NULL,
  period text NOT NULL,
  status text NOT NULL DEFAULT 'running'::text,
  companies integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  last_company_id uuid,
  lease uuid,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  finished_at timestamp(3) with time zone,
  process_id uuid,
  CONSTRAINT billing_previews_pkey PRIMARY KEY (id),
  CONSTRAINT billing_previews_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text])))
);
CREATE INDEX billing_previews_running ON public.billing_previews USING btree (id) WHERE (status = 'running'::text);
GRANT DELETE, INSERT, SELECT, UPDATE ON billing_previews TO paydesk_application;

-- One for each month: status, progress, and the time, cutoff and lease of its last pass.
CREATE TABLE billing_runs (
  id uuid NOT NULL,
  period text NOT NULL,
  status text NOT NULL DEFAULT 'waiting'::text,
  without_grace boolean NOT NULL DEFAULT false,
  next_pass_at timestamp(3) with time zone,
  companies integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  passes integer NOT NULL DEFAULT 0,
  as_of timestamp(3) with time zone,
  cutoff integer,
  pass_companies integer NOT NULL DEFAULT 0,
  pass_done integer NOT NULL DEFAULT 0,
  last_company_id uuid,
  failures integer NOT NULL DEFAULT 0,
  lease uuid,
  leased_until timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  invoices integer,
  process_id uuid,
  CONSTRAINT billing_runs_period_taken UNIQUE (period),
  CONSTRAINT billing_runs_pkey PRIMARY KEY (id),
  CONSTRAINT billing_runs_cutoff_fkey FOREIGN KEY (cutoff) REFERENCES usage_cutoffs(number),
  CONSTRAINT billing_runs_check CHECK (((status = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  CONSTRAINT billing_runs_check1 CHECK (((status <> 'running'::text) OR (as_of IS NOT NULL))),
  CONSTRAINT billing_runs_check2 CHECK (((status = 'waiting'::text) OR (next_pass_at IS NULL))),
  CONSTRAINT billing_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'waiting'::text, 'done'::text, 'failed'::text])))
);
GRANT INSERT, SELECT, UPDATE ON billing_runs TO paydesk_application;

-- Cards that are being saved in the fields of a gateway. The client secret is not kept.
CREATE TABLE card_setups (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_setup_id text NOT NULL,
  method text NOT NULL DEFAULT 'Card'::text,
  used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL DEFAULT (now() + '24:00:00'::interval),
  CONSTRAINT card_setups_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT card_setups_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT card_setups_method_check CHECK ((method = ANY (ARRAY['Card'::text, 'sepa_debit'::text])))
);
CREATE INDEX card_setups_unused ON public.card_setups USING btree (expires_at) WHERE (used_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON card_setups TO paydesk_application;

-- Cards of companies: the gateway’s token, eight visible digits, a keyed fingerprint; detach_at is when the worker next tries to delete a deleted card at the gateway, null once it is deleted there (paypal_accounts likewise); a partial unique index allows one default.
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
  detach_at timestamp(3) with time zone,
  process_id uuid,
  expiry_noticed date,
  mandate_reference text,
  mandate_accepted_at timestamp(3) with time zone,
  CONSTRAINT cards_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT cards_company_id_address_id_fkey FOREIGN KEY (company_id, address_id) REFERENCES addresses(company_id, id),
  CONSTRAINT cards_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT cards_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
  CONSTRAINT cards_exp_year_check CHECK (
CASE method
    WHEN 'Card'::text THEN ((exp_year >= 2000) AND (exp_year <= 2099))
    ELSE (exp_year = 9999)
END) NOT VALID,
  CONSTRAINT cards_first_four_check CHECK ((first_four ~
CASE method
    WHEN 'Card'::text THEN '^(\d{4})?$'::text
    ELSE '^[A-Z]{2}$'::text
END)) NOT VALID,
  CONSTRAINT cards_last_four_check CHECK ((last_four ~
CASE method
    WHEN 'Card'::text THEN '^\d{4}$'::text
    ELSE '^[0-9A-Z]{4}$'::text
END)) NOT VALID,
  CONSTRAINT cards_mandate_check CHECK ((((mandate_reference IS NULL) = (mandate_accepted_at IS NULL)) AND ((method = 'sepa_debit'::text) OR (mandate_reference IS NULL)))) NOT VALID,
  CONSTRAINT cards_method_check CHECK ((method = ANY (ARRAY['Card'::text, 'sepa_debit'::text]))) NOT VALID,
  CONSTRAINT cards_number_length_check CHECK (
CASE method
    WHEN 'Card'::text THEN ((number_length >= 12) AND (number_length <= 19))
    ELSE ((number_length >= 15) AND (number_length <= 34))
END) NOT VALID
);
CREATE INDEX cards_by_expiry ON public.cards USING btree (exp_year, exp_month) WHERE (is_default AND (deleted_at IS NULL));
CREATE INDEX cards_in_hand ON public.cards USING btree (process_id) WHERE ((process_id IS NOT NULL) AND (detach_at IS NOT NULL));
CREATE INDEX cards_to_detach ON public.cards USING btree (detach_at) WHERE (detach_at IS NOT NULL);
CREATE UNIQUE INDEX cards_one_default ON public.cards USING btree (company_id) WHERE (is_default AND (deleted_at IS NULL));
CREATE TRIGGER cards_added_to_collect AFTER INSERT ON public.cards FOR EACH ROW EXECUTE FUNCTION wake_collections_by_source('Card');
CREATE TRIGGER cards_changed_to_collect AFTER UPDATE ON public.cards FOR EACH ROW WHEN (((new.is_default AND (NOT old.is_default)) OR (new.deleted_at IS DISTINCT FROM old.deleted_at) OR (new.exp_year <> old.exp_year) OR (new.exp_month <> old.exp_month) OR (new.gateway <> old.gateway))) EXECUTE FUNCTION wake_collections_by_source('Card');
GRANT INSERT, SELECT, UPDATE ON cards TO paydesk_application;

-- Holds of all charges; one without an end is in force.
CREATE TABLE charges_holds (
  id uuid NOT NULL,
  reason text NOT NULL,
  begun_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_pass_at timestamp(3) with time zone,
  last_pass_found integer,
  ended_at timestamp(3) with time zone,
  compared_from timestamp(3) with time zone,
  has_new_series boolean NOT NULL DEFAULT false,
  unjournaled text,
  CONSTRAINT charges_holds_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX charges_holds_one ON public.charges_holds USING btree ((true)) WHERE (ended_at IS NULL);
GRANT INSERT, SELECT ON charges_holds TO paydesk_application;

-- What the collection does next, and whether the invoice waits for a release; created and woken by triggers.
CREATE TABLE collections (
  company_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  state text NOT NULL DEFAULT 'scheduled'::text,
  next_attempt_at timestamp(3) with time zone,
  gateway text NOT NULL DEFAULT 'none'::text,
  attempts integer NOT NULL DEFAULT 0,
  card_id uuid,
  declines integer NOT NULL DEFAULT 0,
  outages integer NOT NULL DEFAULT 0,
  payment_id uuid,
  lease uuid,
  leased_until timestamp(3) with time zone,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  paypal_account_id uuid,
  process_id uuid,
  awaits_release boolean NOT NULL DEFAULT false,
  CONSTRAINT collections_pkey PRIMARY KEY (company_id, invoice_id),
  CONSTRAINT collections_company_id_card_id_fkey FOREIGN KEY (company_id, card_id) REFERENCES cards(company_id, id),
  CONSTRAINT collections_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT collections_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT collections_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT collections_company_id_paypal_account_id_fkey FOREIGN KEY (company_id, paypal_account_id) REFERENCES paypal_accounts(company_id, id),
  CONSTRAINT collections_check CHECK (((state = 'scheduled'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT collections_check1 CHECK (((state <> ALL (ARRAY['awaiting_outcome'::text, 'awaiting_confirmation'::text])) OR (payment_id IS NOT NULL))) NOT VALID,
  CONSTRAINT collections_state_check CHECK ((state = ANY (ARRAY['scheduled'::text, 'awaiting_outcome'::text, 'awaiting_confirmation'::text, 'awaiting_payment_method'::text, 'manual'::text, 'exhausted'::text, 'closed'::text]))) NOT VALID
);
CREATE INDEX collections_awaiting_release ON public.collections USING btree (company_id, invoice_id) WHERE awaits_release;
CREATE INDEX collections_closed ON public.collections USING btree (updated_at) WHERE (state = 'closed'::text);
CREATE INDEX collections_due ON public.collections USING btree (gateway, next_attempt_at) WHERE ((state = 'scheduled'::text) AND (NOT awaits_release));
CREATE INDEX collections_in_hand ON public.collections USING btree (process_id) WHERE (lease IS NOT NULL);
GRANT INSERT, SELECT, UPDATE ON collections TO paydesk_application;

-- The tenant, with its billing settings.
CREATE TABLE companies (
  id uuid NOT NULL,
  name text NOT NULL DEFAULT ''::text,
  phone text NOT NULL DEFAULT ''::text,
  address text NOT NULL DEFAULT ''::text,
  describe text NOT NULL DEFAULT ''::text,
  email text NOT NULL DEFAULT ''::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  billing_currency text NOT NULL DEFAULT 'USD'::text,
  tax_rate numeric NOT NULL DEFAULT 0,
  exempt_with_tax_id boolean NOT NULL DEFAULT false,
  timezone text NOT NULL DEFAULT 'UTC'::text,
  late_usage_kind text NOT NULL DEFAULT 'next_invoice'::text,
  late_usage_days integer,
  invoice_grace_hours integer NOT NULL DEFAULT 24,
  collection text NOT NULL DEFAULT 'by_card'::text,
  net_days smallint NOT NULL DEFAULT 0,
  dunning_days jsonb NOT NULL DEFAULT '[2, 5, 7, 7]'::jsonb,
  payment_method text NOT NULL DEFAULT 'default'::text,
  number_prefix text,
  disabled_since timestamp(3) with time zone,
  require_second_factor boolean NOT NULL DEFAULT false,
  sign_in text NOT NULL DEFAULT 'password'::text,
  break_glass_member_id uuid,
  external_id text COLLATE "C",
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT companies_counted TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT companies_pkey PRIMARY KEY (id),
  CONSTRAINT companies_collection_check CHECK ((collection = ANY (ARRAY['by_card'::text, 'automatic'::text, 'manual'::text]))),
  CONSTRAINT companies_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  CONSTRAINT companies_invoice_grace_hours_check CHECK ((invoice_grace_hours >= 0)),
  CONSTRAINT companies_late_usage_days CHECK (((late_usage_kind = 'refuse'::text) = (late_usage_days IS NOT NULL))),
  CONSTRAINT companies_late_usage_days_check CHECK ((late_usage_days >= 0)),
  CONSTRAINT companies_late_usage_kind_check CHECK ((late_usage_kind = ANY (ARRAY['next_invoice'::text, 'refuse'::text, 'ignore'::text]))),
  CONSTRAINT companies_net_days_check CHECK (((net_days >= 0) AND (net_days <= 120))),
  CONSTRAINT companies_payment_method_check CHECK ((payment_method = ANY (ARRAY['default'::text, 'Card'::text, 'paypal'::text]))),
  CONSTRAINT companies_sign_in_check CHECK ((sign_in = ANY (ARRAY['password'::text, 'sso'::text]))),
  CONSTRAINT companies_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric)))
);
CREATE INDEX companies_by_email ON public.companies USING btree (lower(email)) WHERE (email <> ''::text);
CREATE INDEX companies_by_external_id ON public.companies USING btree (external_id, id);
CREATE INDEX companies_by_external_id_descending ON public.companies USING btree (external_id DESC NULLS LAST, id DESC);
CREATE INDEX companies_by_name ON public.companies USING btree (name COLLATE "und-x-icu", id);
CREATE INDEX companies_disabled ON public.companies USING btree (id) WHERE (disabled_since IS NOT NULL);
CREATE UNIQUE INDEX companies_external_id_taken ON public.companies USING btree (external_id);
CREATE UNIQUE INDEX companies_number_prefix_taken ON public.companies USING btree (number_prefix) WHERE (number_prefix IS NOT NULL);
CREATE CONSTRAINT TRIGGER companies_counted AFTER INSERT OR DELETE ON public.companies DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER companies_described AFTER UPDATE ON public.companies FOR EACH ROW WHEN ((new.external_id IS DISTINCT FROM old.external_id)) EXECUTE FUNCTION describe_gateway_customer('id');
CREATE TRIGGER companies_searched AFTER UPDATE ON public.companies FOR EACH ROW WHEN ((((new.name IS DISTINCT FROM old.name) OR (new.email IS DISTINCT FROM old.email)) OR (new.external_id IS DISTINCT FROM old.external_id))) EXECUTE FUNCTION search_company();
CREATE TRIGGER companies_searched_new AFTER INSERT ON public.companies FOR EACH ROW WHEN (((new.name <> ''::text) OR (new.email <> ''::text) OR (new.external_id IS NOT NULL))) EXECUTE FUNCTION search_company();
CREATE TRIGGER companies_to_collect AFTER UPDATE ON public.companies FOR EACH ROW WHEN (((new.collection <> 'manual'::text) AND (new.disabled_since IS NULL) AND ((new.collection <> old.collection) OR (old.disabled_since IS NOT NULL)))) EXECUTE FUNCTION wake_collections_by_setting();
GRANT INSERT, SELECT, UPDATE ON companies TO paydesk_application;

-- In small letters, what the operator’s search for companies compares the beginning of: e-mail addresses, external ids, VAT numbers, and names from each of their words on; written by triggers.
CREATE TABLE company_search_terms (
  company_id uuid NOT NULL,
  source text NOT NULL,
  term text COLLATE "C" NOT NULL,
  CONSTRAINT company_search_terms_pkey PRIMARY KEY (company_id, source, term),
  CONSTRAINT company_search_terms_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE INDEX company_search_terms_by_term ON public.company_search_terms USING btree (term, company_id);
GRANT DELETE, INSERT, SELECT ON company_search_terms TO paydesk_application;

-- The sum of the entries; only a trigger writes it.
CREATE TABLE credit_balances (
  company_id uuid NOT NULL,
  currency text NOT NULL,
  balance_minor bigint NOT NULL,
  entries bigint NOT NULL,
  CONSTRAINT credit_balances_pkey PRIMARY KEY (company_id),
  CONSTRAINT credit_balances_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT credit_balances_balance_minor_check CHECK ((balance_minor >= 0))
);
GRANT SELECT ON credit_balances TO paydesk_application;

-- The ledger of the credit; append-only.
CREATE TABLE credit_entries (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  number bigint NOT NULL,
  kind text NOT NULL,
  amount_minor bigint NOT NULL,
  balance_minor bigint NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  payment_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  refund_id uuid,
  carried_tax_minor bigint,
  CONSTRAINT credit_entries_number_taken UNIQUE (company_id, number),
  CONSTRAINT credit_entries_refund_taken UNIQUE (company_id, refund_id),
  CONSTRAINT credit_entries_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT credit_entries_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT credit_entries_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT credit_entries_company_id_refund_id_fkey FOREIGN KEY (company_id, refund_id) REFERENCES refunds(company_id, id),
  CONSTRAINT credit_entries_amount_minor_check CHECK ((amount_minor <> 0)),
  CONSTRAINT credit_entries_check CHECK (((kind = ANY (ARRAY['grant'::text, 'return'::text, 'refund'::text, 'overpayment'::text])) = (amount_minor > 0))) NOT VALID,
  CONSTRAINT credit_entries_check1 CHECK (((kind = ANY (ARRAY['consumption'::text, 'return'::text, 'refund'::text, 'overpayment'::text])) = (payment_id IS NOT NULL))) NOT VALID,
  CONSTRAINT credit_entries_check2 CHECK (((kind = 'refund'::text) = (refund_id IS NOT NULL))),
  CONSTRAINT credit_entries_check3 CHECK (((carried_tax_minor IS NULL) OR (kind = 'grant'::text))) NOT VALID,
  CONSTRAINT credit_entries_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'correction'::text, 'consumption'::text, 'return'::text, 'refund'::text, 'overpayment'::text]))) NOT VALID,
  CONSTRAINT credit_entries_never_below_zero CHECK ((balance_minor >= 0))
);
CREATE UNIQUE INDEX credit_entries_of_payment ON public.credit_entries USING btree (company_id, payment_id, kind) WHERE (kind = ANY (ARRAY['consumption'::text, 'return'::text]));
CREATE TRIGGER credit_entries_added AFTER INSERT ON public.credit_entries FOR EACH ROW EXECUTE FUNCTION keep_credit_balance();
CREATE TRIGGER credit_entries_posted AFTER INSERT ON public.credit_entries FOR EACH ROW WHEN ((new.kind <> ALL (ARRAY['refund'::text, 'overpayment'::text]))) EXECUTE FUNCTION post_credit_entry();
GRANT INSERT, SELECT ON credit_entries TO paydesk_application;

-- Corrections of invoices; append-only; their sum is credited_total of the invoice, which the database keeps within its total.
CREATE TABLE credit_notes (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  number text NOT NULL,
  invoice_id uuid NOT NULL,
  reason text NOT NULL,
  details json NOT NULL,
  sub_total numeric(20,4) NOT NULL,
  tax numeric(20,4) NOT NULL,
  total numeric(20,4) NOT NULL,
  after_payment boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  reference text,
  number_series text,
  taxes json,
  CONSTRAINT credit_notes_number_taken UNIQUE (company_id, number),
  CONSTRAINT credit_notes_counted TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT credit_notes_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT credit_notes_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT credit_notes_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT credit_notes_check CHECK ((total = (sub_total + tax))),
  CONSTRAINT credit_notes_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 255))),
  CONSTRAINT credit_notes_total_check CHECK ((total > (0)::numeric))
);
CREATE INDEX credit_notes_by_repeated_number ON public.credit_notes USING btree (number) WHERE (number_series IS NULL);
CREATE INDEX credit_notes_by_time ON public.credit_notes USING btree (created_at, id);
CREATE INDEX credit_notes_of_invoice ON public.credit_notes USING btree (company_id, invoice_id, id);
CREATE UNIQUE INDEX credit_notes_number_of_seller_taken ON public.credit_notes USING btree (number) WHERE (number_series IS NOT NULL);
CREATE UNIQUE INDEX credit_notes_reference_taken ON public.credit_notes USING btree (company_id, reference) WHERE (reference IS NOT NULL);
CREATE CONSTRAINT TRIGGER credit_notes_counted AFTER INSERT OR DELETE ON public.credit_notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER credit_notes_posted AFTER INSERT ON public.credit_notes FOR EACH ROW EXECUTE FUNCTION post_credit_note();
GRANT INSERT, SELECT ON credit_notes TO paydesk_application;

-- Sessions that the operator’s product opens for a customer of its own, who has no account here; kept for a day after they expire.
CREATE TABLE customer_sessions (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id text,
  user_name text,
  user_email text,
  permission jsonb NOT NULL,
  return_url text,
  operator_key_id uuid,
  operator_key_hash bytea,
  staff_id uuid,
  key_name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  code_hash bytea,
  code_expires_at timestamp(3) with time zone NOT NULL,
  family_hash bytea,
  refresh_hash bytea,
  previous_hash bytea,
  successor_salt bytea,
  refreshed_at timestamp(3) with time zone,
  CONSTRAINT customer_sessions_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT customer_sessions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT customer_sessions_check CHECK (((num_nonnulls(operator_key_id, staff_id) = 1) AND (num_nulls(operator_key_id, operator_key_hash) = ANY (ARRAY[0, 2])))),
  CONSTRAINT customer_sessions_check1 CHECK (((user_id IS NOT NULL) OR (num_nonnulls(user_name, user_email) = 0))),
  CONSTRAINT customer_sessions_check2 CHECK ((num_nulls(family_hash, refresh_hash) = ANY (ARRAY[0, 2]))),
  CONSTRAINT customer_sessions_check3 CHECK ((num_nulls(previous_hash, successor_salt, refreshed_at) = ANY (ARRAY[0, 3])))
);
CREATE INDEX customer_sessions_by_age ON public.customer_sessions USING btree (expires_at);
CREATE UNIQUE INDEX customer_sessions_by_code ON public.customer_sessions USING btree (code_hash) WHERE (code_hash IS NOT NULL);
CREATE UNIQUE INDEX customer_sessions_by_id ON public.customer_sessions USING btree (id);
GRANT DELETE, INSERT, SELECT, UPDATE ON customer_sessions TO paydesk_application;

-- Money withdrawn and reinstated, lost and recovered; append-only.
CREATE TABLE dispute_movements (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  dispute_id uuid NOT NULL,
  kind text NOT NULL,
  amount_minor bigint NOT NULL,
  gateway_movement_id text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT dispute_movements_taken UNIQUE (company_id, dispute_id, gateway_movement_id),
  CONSTRAINT dispute_movements_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT dispute_movements_company_id_dispute_id_fkey FOREIGN KEY (company_id, dispute_id) REFERENCES disputes(company_id, id),
  CONSTRAINT dispute_movements_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT dispute_movements_amount_minor_check CHECK ((amount_minor > 0)),
  CONSTRAINT dispute_movements_check CHECK (((kind = ANY (ARRAY['withdrawn'::text, 'reinstated'::text])) = (gateway_movement_id IS NOT NULL))),
  CONSTRAINT dispute_movements_kind_check CHECK ((kind = ANY (ARRAY['withdrawn'::text, 'reinstated'::text, 'lost'::text, 'recovered'::text])))
);
CREATE TRIGGER dispute_movements_posted AFTER INSERT ON public.dispute_movements FOR EACH ROW EXECUTE FUNCTION post_dispute_movement();
GRANT SELECT ON dispute_movements TO paydesk_application;

-- Disputes of payments; only the trigger of the movements writes withdrawn_minor, here and on payments.
CREATE TABLE disputes (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  payment_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_dispute_id text NOT NULL,
  state text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  withdrawn_minor bigint NOT NULL DEFAULT 0,
  look bigint NOT NULL,
  opened_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT disputes_gateway_object_taken UNIQUE (gateway, gateway_dispute_id, payment_id),
  CONSTRAINT disputes_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT disputes_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT disputes_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT disputes_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT disputes_amount_minor_check CHECK ((amount_minor >= 0)),
  CONSTRAINT disputes_state_check CHECK ((state = ANY (ARRAY['needs_response'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'closed'::text])))
);
CREATE INDEX disputes_by_id ON public.disputes USING btree (id);
CREATE INDEX disputes_by_time ON public.disputes USING btree (gateway, opened_at, id);
CREATE INDEX disputes_of_payment ON public.disputes USING btree (company_id, payment_id, id);
CREATE TRIGGER disputes_losses_kept AFTER UPDATE OF state, withdrawn_minor ON public.disputes FOR EACH ROW EXECUTE FUNCTION keep_dispute_losses();
GRANT SELECT ON disputes TO paydesk_application;

-- The ways back to the e-mail addresses that users had before a change, 72 hours.
CREATE TABLE email_reverts (
  hash bytea NOT NULL,
  user_id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  trusted_from timestamp(3) with time zone,
  asked_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT email_reverts_pkey PRIMARY KEY (hash),
  CONSTRAINT email_reverts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX email_reverts_by_email ON public.email_reverts USING btree (email_key);
CREATE INDEX email_reverts_of_user ON public.email_reverts USING btree (user_id);
GRANT DELETE, INSERT, SELECT ON email_reverts TO paydesk_application;

-- The SHA-256 of the token in a link of a mail, and what it stands for.
CREATE TABLE email_tokens (
  user_id uuid NOT NULL,
  purpose text NOT NULL,
  hash bytea NOT NULL,
  email_key text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  new_email text,
  CONSTRAINT email_tokens_hash_key UNIQUE (hash),
  CONSTRAINT email_tokens_pkey PRIMARY KEY (user_id, purpose),
  CONSTRAINT email_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT email_tokens_new_email CHECK (((purpose = 'change_email'::text) = (new_email IS NOT NULL))),
  CONSTRAINT email_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['verify_email'::text, 'change_email'::text, 'reset_password'::text])))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON email_tokens TO paydesk_application;

-- What happened, as webhooks tell it; append-only; a function of the owner deletes what is older than 90 days; the nil UUID stands for no company.
CREATE TABLE events (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  data json NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT events_pkey PRIMARY KEY (company_id, id)
);
CREATE INDEX events_listed ON public.events USING btree (created_at, id);
CREATE INDEX events_of_type ON public.events USING btree (type, created_at, id) WHERE (type !~~ 'label.%'::text);
GRANT INSERT, SELECT ON events TO paydesk_application;

-- Resets of passwords that were asked for, until their mails are written.
CREATE TABLE forgotten_passwords (
  id uuid NOT NULL,
  email text NOT NULL,
  asked_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT forgotten_passwords_pkey PRIMARY KEY (id)
);
CREATE INDEX forgotten_passwords_asked ON public.forgotten_passwords USING btree (asked_at);
GRANT DELETE, INSERT, SELECT ON forgotten_passwords TO paydesk_application;

-- When each gateway was last compared with the database.
CREATE TABLE gateway_comparisons (
  gateway text NOT NULL,
  begun_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  compared_at timestamp(3) with time zone,
  CONSTRAINT gateway_comparisons_pkey PRIMARY KEY (gateway)
);
GRANT INSERT, SELECT, UPDATE ON gateway_comparisons TO paydesk_application;

-- A company’s id at a gateway.
CREATE TABLE gateway_customers (
  company_id uuid NOT NULL,
  gateway text NOT NULL,
  customer text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  describe_at timestamp(3) with time zone DEFAULT now(),
  changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT gateway_customers_pkey PRIMARY KEY (company_id, gateway),
  CONSTRAINT gateway_customers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE INDEX gateway_customers_to_describe ON public.gateway_customers USING btree (describe_at) WHERE (describe_at IS NOT NULL);
GRANT INSERT, SELECT, UPDATE ON gateway_customers TO paydesk_application;

-- What a gateway took for a payment, a refund or a dispute, or gave back (negative).
CREATE TABLE gateway_fees (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_movement_id text NOT NULL,
  gateway_payment_id text NOT NULL,
  payment_id uuid,
  invoice_id uuid,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  charged_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT gateway_fees_taken UNIQUE (gateway, gateway_movement_id),
  CONSTRAINT gateway_fees_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT gateway_fees_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT gateway_fees_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT gateway_fees_amount_minor_check CHECK ((amount_minor <> 0))
);
CREATE INDEX gateway_fees_by_time ON public.gateway_fees USING btree (gateway, charged_at, id);
CREATE TRIGGER gateway_fees_posted AFTER INSERT ON public.gateway_fees FOR EACH ROW EXECUTE FUNCTION post_gateway_fee();
GRANT INSERT, SELECT ON gateway_fees TO paydesk_application;

-- Up to when a gateway’s fees and payouts are in the books, and when it is asked for more.
CREATE TABLE gateway_looks (
  gateway text NOT NULL,
  looked_up_to timestamp(3) with time zone NOT NULL,
  looked_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  look_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT gateway_looks_pkey PRIMARY KEY (gateway)
);
GRANT INSERT, SELECT, UPDATE ON gateway_looks TO paydesk_application;

-- Gateway events that were received, so that each takes effect once, and what is to be done after a hold; kept 30 days.
CREATE TABLE gateway_notices (
  gateway text NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  gateway_payment_id text,
  outcome text,
  received_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  kind text,
  refund_reference text,
  dispute_id text,
  act_at timestamp(3) with time zone,
  process_id uuid,
  CONSTRAINT gateway_notices_pkey PRIMARY KEY (gateway, id),
  CONSTRAINT gateway_notices_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'no_change'::text, 'alerted'::text, 'unknown_payment'::text, 'ignored'::text])))
);
CREATE INDEX gateway_notices_by_time ON public.gateway_notices USING btree (received_at);
CREATE INDEX gateway_notices_in_hand ON public.gateway_notices USING btree (process_id) WHERE ((process_id IS NOT NULL) AND (outcome IS NULL));
CREATE INDEX gateway_notices_kept ON public.gateway_notices USING btree (act_at) WHERE ((act_at IS NOT NULL) AND (outcome IS NULL));
GRANT DELETE, INSERT, SELECT ON gateway_notices TO paydesk_application;

-- What a gateway paid out to the bank: total_minor, of which amount_minor, which is posted, is from payments here.
CREATE TABLE gateway_payouts (
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_payout_id text NOT NULL,
  state text NOT NULL,
  total_minor bigint NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  paid_out_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT gateway_payouts_taken UNIQUE (gateway, gateway_payout_id),
  CONSTRAINT gateway_payouts_pkey PRIMARY KEY (id),
  CONSTRAINT gateway_payouts_state_check CHECK ((state = ANY (ARRAY['paid'::text, 'failed'::text])))
);
CREATE INDEX gateway_payouts_by_time ON public.gateway_payouts USING btree (gateway, paid_out_at, id);
CREATE TRIGGER gateway_payouts_failed AFTER UPDATE OF state ON public.gateway_payouts FOR EACH ROW WHEN (((old.state = 'paid'::text) AND (new.state = 'failed'::text) AND (new.amount_minor <> 0))) EXECUTE FUNCTION post_payout();
CREATE TRIGGER gateway_payouts_posted AFTER INSERT ON public.gateway_payouts FOR EACH ROW WHEN (((new.state = 'paid'::text) AND (new.amount_minor <> 0))) EXECUTE FUNCTION post_payout();
GRANT INSERT, SELECT, UPDATE ON gateway_payouts TO paydesk_application;

-- An HMAC of the request, and the answer; kept 24 hours.
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

-- One row: the id of this installation, which objects at gateways carry, and which keys the database was used with.
CREATE TABLE installation (
  is_only boolean NOT NULL DEFAULT true,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  keys_identity text,
  CONSTRAINT installation_pkey PRIMARY KEY (is_only),
  CONSTRAINT installation_is_only_check CHECK (is_only),
  CONSTRAINT installation_keys_identity_check CHECK ((keys_identity ~ '^[0-9a-f]{32}$'::text))
);
GRANT SELECT ON installation TO paydesk_application;

-- What the operator’s product may do from its pages: one row.
CREATE TABLE integration (
  is_only boolean NOT NULL DEFAULT true,
  allowed_origins text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT integration_pkey PRIMARY KEY (is_only),
  CONSTRAINT integration_is_only_check CHECK (is_only)
);
GRANT SELECT, UPDATE ON integration TO paydesk_application;

-- Who may join a company, one for each e-mail, with the SHA-256 of the token in the link; deleted when it is accepted.
CREATE TABLE invitations (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  role text,
  role_id uuid,
  invited_by uuid,
  token_hash bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  invited_by_key uuid,
  operator_key_id uuid,
  staff_id uuid,
  operator_name text,
  CONSTRAINT invitations_email_taken UNIQUE (company_id, email_key),
  CONSTRAINT invitations_token_taken UNIQUE (token_hash),
  CONSTRAINT invitations_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT invitations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  CONSTRAINT invitations_role_in_use FOREIGN KEY (company_id, role_id) REFERENCES roles(company_id, id),
  CONSTRAINT invitations_keys_of_members CHECK (((invited_by_key IS NULL) OR (invited_by IS NOT NULL))),
  CONSTRAINT invitations_named_operator CHECK (((operator_name IS NULL) = (invited_by IS NOT NULL))),
  CONSTRAINT invitations_one_inviter CHECK ((num_nonnulls(invited_by, operator_key_id, staff_id) = 1)),
  CONSTRAINT invitations_one_role CHECK ((num_nonnulls(role, role_id) = 1))
);
CREATE INDEX invitations_by_age ON public.invitations USING btree (expires_at);
CREATE INDEX invitations_by_role ON public.invitations USING btree (company_id, role_id) WHERE (role_id IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON invitations TO paydesk_application;

-- Exact totals of invoices by status and method, without counting.
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

-- The links to the pages of invoices, one for each. A new id makes the earlier ones unknown.
CREATE TABLE invoice_links (
  company_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp(3) with time zone,
  CONSTRAINT invoice_links_pkey PRIMARY KEY (company_id, invoice_id),
  CONSTRAINT invoice_links_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT invoice_links_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id)
);
GRANT INSERT, SELECT, UPDATE ON invoice_links TO paydesk_application;

-- What transactions have changed of invoice_sums since housekeeping last added it to them: rows of their own, so that no transaction waits for another.
CREATE TABLE invoice_sum_changes (
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  due_on date NOT NULL,
  failed boolean NOT NULL,
  invoices bigint NOT NULL,
  amount numeric NOT NULL
);
GRANT SELECT ON invoice_sum_changes TO paydesk_application;

-- How many invoices there are, and what is due on them, by currency and the day (UTC) on which they are due; due_on is -infinity for invoices that are not open. Together with invoice_sum_changes they are exact.
CREATE TABLE invoice_sums (
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  due_on date NOT NULL,
  failed boolean NOT NULL,
  invoices bigint NOT NULL,
  amount numeric NOT NULL,
  CONSTRAINT invoice_sums_pkey PRIMARY KEY (currency, minor_unit_digits, due_on, failed)
);
GRANT SELECT ON invoice_sums TO paydesk_application;

-- Invoices, of which only status, payment, credit, credited_total and voided_at ever change; they contain the seller and buyer as they were at the issue.
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
  tax_rate numeric,
  sub_total numeric(20,4) NOT NULL,
  tax numeric(20,4) NOT NULL,
  total numeric(20,4) NOT NULL,
  details json NOT NULL,
  metadata jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  credit_used numeric(20,4) NOT NULL DEFAULT 0,
  buyer json NOT NULL,
  seller json NOT NULL,
  voided_at timestamp(3) with time zone,
  credited_total numeric(20,4) NOT NULL DEFAULT 0,
  due_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  refunded_total numeric(20,4) NOT NULL DEFAULT 0,
  reference text,
  debt text,
  number_series text,
  settled_by_credit_notes boolean NOT NULL DEFAULT false,
  taxes json,
  reverse_charge boolean NOT NULL DEFAULT false,
  part_paid numeric(20,4) NOT NULL DEFAULT 0,
  CONSTRAINT invoices_number_taken UNIQUE (company_id, number),
  CONSTRAINT invoices_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_company_id_bill_to_id_fkey FOREIGN KEY (company_id, bill_to_id) REFERENCES billing_information(company_id, id),
  CONSTRAINT invoices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT invoices_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT invoices_check CHECK ((end_at > start_at)),
  CONSTRAINT invoices_check1 CHECK ((total = (sub_total + tax))),
  CONSTRAINT invoices_check2 CHECK (((status = 'Succeeded'::text) = (payment_id IS NOT NULL))),
  CONSTRAINT invoices_check3 CHECK (((credit_used >= (0)::numeric) AND (credit_used <= total))),
  CONSTRAINT invoices_check4 CHECK (((credit_used = (0)::numeric) OR (status = 'Succeeded'::text))),
  CONSTRAINT invoices_credited_within_total CHECK (((credited_total >= (0)::numeric) AND (credited_total <= total))),
  CONSTRAINT invoices_method_check CHECK ((method = ANY (ARRAY['Card'::text, 'paypal'::text]))),
  CONSTRAINT invoices_part_paid_within_total CHECK (((part_paid >= (0)::numeric) AND (part_paid <= total))) NOT VALID,
  CONSTRAINT invoices_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 255))),
  CONSTRAINT invoices_refunded_within_credited CHECK (((refunded_total >= (0)::numeric) AND (refunded_total <= credited_total))),
  CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['Processing'::text, 'Succeeded'::text, 'Failed'::text]))),
  CONSTRAINT invoices_taxes_of_rates CHECK (((tax_rate IS NULL) = (taxes IS NOT NULL))) NOT VALID,
  CONSTRAINT invoices_total_check CHECK ((total >= (0)::numeric)),
  CONSTRAINT invoices_void_has_no_part CHECK (((voided_at IS NULL) OR (part_paid = (0)::numeric))) NOT VALID,
  CONSTRAINT invoices_void_is_unpaid CHECK (((voided_at IS NULL) OR ((status <> 'Succeeded'::text) AND (credited_total = (0)::numeric))))
);
CREATE INDEX invoices_by_amount ON public.invoices USING btree (total);
CREATE INDEX invoices_by_creation ON public.invoices USING btree (created_at, id);
CREATE INDEX invoices_by_currency ON public.invoices USING btree (currency, id);
CREATE INDEX invoices_by_id ON public.invoices USING btree (id);
CREATE INDEX invoices_by_method ON public.invoices USING btree (company_id, method, start_at, id);
CREATE INDEX invoices_by_period ON public.invoices USING btree (company_id, start_at, id, total, end_at);
CREATE INDEX invoices_by_repeated_number ON public.invoices USING btree (number, id) WHERE (number_series IS NULL);
CREATE INDEX invoices_by_status ON public.invoices USING btree (company_id, status, start_at, id);
CREATE INDEX invoices_by_total ON public.invoices USING btree (company_id, total);
CREATE INDEX invoices_due ON public.invoices USING btree (due_at) INCLUDE (currency, minor_unit_digits, status, total, credited_total, part_paid) WHERE ((status <> 'Succeeded'::text) AND (voided_at IS NULL) AND ((credited_total < total) OR (total = (0)::numeric)));
CREATE INDEX invoices_open ON public.invoices USING btree (id) INCLUDE (company_id, due_at) WHERE ((status <> 'Succeeded'::text) AND (voided_at IS NULL) AND ((credited_total < total) OR (total = (0)::numeric)));
CREATE INDEX invoices_unpaid ON public.invoices USING btree (status, id) WHERE (status <> 'Succeeded'::text);
CREATE INDEX invoices_voided_or_credited ON public.invoices USING btree (company_id, id) INCLUDE (status, method) WHERE ((voided_at IS NOT NULL) OR ((credited_total = total) AND (total > (0)::numeric)));
CREATE UNIQUE INDEX invoices_debt_taken ON public.invoices USING btree (company_id, debt) WHERE (debt IS NOT NULL);
CREATE UNIQUE INDEX invoices_number_of_seller_taken ON public.invoices USING btree (number) WHERE (number_series IS NOT NULL);
CREATE TRIGGER invoices_added AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('added');
CREATE TRIGGER invoices_changed AFTER UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION count_changed_invoice();
CREATE TRIGGER invoices_posted AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS issued FOR EACH STATEMENT EXECUTE FUNCTION post_invoices();
CREATE TRIGGER invoices_summed AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_invoices();
CREATE TRIGGER invoices_to_collect AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION begin_collections();
CREATE TRIGGER invoices_void_posted AFTER UPDATE OF voided_at ON public.invoices FOR EACH ROW WHEN (((old.voided_at IS NULL) AND (new.voided_at IS NOT NULL))) EXECUTE FUNCTION post_void();
GRANT INSERT, SELECT, UPDATE ON invoices TO paydesk_application;

-- One-off items, which the next invoice takes; only the invoice is ever set, once.
CREATE TABLE items (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  unit_amount numeric NOT NULL,
  quantity integer NOT NULL,
  amount numeric(20,4) NOT NULL,
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  tax_rate numeric,
  reference text,
  invoice_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT items_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT items_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT items_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT items_amount_check CHECK ((amount <> (0)::numeric)),
  CONSTRAINT items_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT items_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric)))
);
CREATE INDEX items_of_invoice ON public.items USING btree (company_id, invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX items_pending ON public.items USING btree (company_id, id) WHERE (invoice_id IS NULL);
CREATE UNIQUE INDEX items_reference_taken ON public.items USING btree (company_id, reference) WHERE (reference IS NOT NULL);
CREATE TRIGGER items_invoiced_once BEFORE DELETE OR UPDATE ON public.items FOR EACH ROW WHEN ((old.invoice_id IS NOT NULL)) EXECUTE FUNCTION refuse_change_of_invoiced_item();
GRANT DELETE, INSERT, SELECT ON items TO paydesk_application;

-- The latest error of a job that is not done, for the operator; the tables of the jobs say what is due. The nil UUID stands for a job of no company; kept 30 days.
CREATE TABLE job_failures (
  company_id uuid NOT NULL,
  kind text NOT NULL,
  record text NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  error text NOT NULL,
  failed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT job_failures_pkey PRIMARY KEY (company_id, kind, record)
);
CREATE INDEX job_failures_by_age ON public.job_failures USING btree (failed_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON job_failures TO paydesk_application;

-- The journals that machines keep for this database, and the last entry of each.
CREATE TABLE journals (
  id uuid NOT NULL,
  host text NOT NULL,
  directory text NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  lost_at timestamp(3) with time zone,
  read_at timestamp(3) with time zone,
  read_in uuid,
  lost_in uuid,
  last_company_id uuid,
  last_mark uuid,
  last_mark_at timestamp(3) with time zone,
  CONSTRAINT journals_pkey PRIMARY KEY (id),
  CONSTRAINT journals_lost_in_fkey FOREIGN KEY (lost_in) REFERENCES charges_holds(id),
  CONSTRAINT journals_read_in_fkey FOREIGN KEY (read_in) REFERENCES charges_holds(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON journals TO paydesk_application;

-- The networks that a user has logged in from, as keyed hashes.
CREATE TABLE known_networks (
  user_id uuid NOT NULL,
  network_hash bytea NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT known_networks_pkey PRIMARY KEY (user_id, network_hash),
  CONSTRAINT known_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX known_networks_by_time ON public.known_networks USING btree (seen_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON known_networks TO paydesk_application;

-- How many records of each type have a label.
CREATE TABLE label_assignment_counts (
  company_id uuid NOT NULL,
  label_id uuid NOT NULL,
  shard smallint NOT NULL,
  agents bigint NOT NULL,
  tickets bigint NOT NULL,
  customers bigint NOT NULL,
  CONSTRAINT label_assignment_counts_pkey PRIMARY KEY (company_id, label_id, shard),
  CONSTRAINT label_assignment_counts_company_id_label_id_fkey FOREIGN KEY (company_id, label_id) REFERENCES labels(company_id, id) ON DELETE CASCADE
);
GRANT INSERT, SELECT, UPDATE ON label_assignment_counts TO paydesk_application;

-- The labels of agents, tickets and customers; deleted with their label.
CREATE TABLE label_assignments (
  company_id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  label_id uuid NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT label_assignments_pkey PRIMARY KEY (company_id, type, id, label_id),
  CONSTRAINT label_assignments_company_id_label_id_fkey FOREIGN KEY (company_id, label_id) REFERENCES labels(company_id, id) ON DELETE CASCADE,
  CONSTRAINT label_assignments_type_check CHECK ((type = ANY (ARRAY['agent'::text, 'ticket'::text, 'customer'::text])))
);
CREATE INDEX label_assignments_of_label ON public.label_assignments USING btree (company_id, label_id, type, number) INCLUDE (id);
CREATE TRIGGER label_assignments_deleted AFTER DELETE ON public.label_assignments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_label_assignments();
CREATE TRIGGER label_assignments_inserted AFTER INSERT ON public.label_assignments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_label_assignments();
GRANT DELETE, INSERT, SELECT ON label_assignments TO paydesk_application;

-- Exact totals of labels, without counting.
CREATE TABLE label_counts (
  company_id uuid NOT NULL,
  shard smallint NOT NULL,
  labels bigint NOT NULL,
  changes bigint NOT NULL,
  assignment_changes bigint NOT NULL DEFAULT 0,
  CONSTRAINT label_counts_pkey PRIMARY KEY (company_id, shard),
  CONSTRAINT label_counts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT, UPDATE ON label_counts TO paydesk_application;

-- The name is unique without case (fold_case); sorted by ICU’s root collation.
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
  CONSTRAINT labels_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE INDEX labels_by_creation ON public.labels USING btree (company_id, created_at, id);
CREATE INDEX labels_by_name ON public.labels USING btree (company_id, name, id);
CREATE INDEX labels_search ON public.labels USING gin (company_id, name_key gin_trgm_ops);
CREATE UNIQUE INDEX labels_name_taken ON public.labels USING btree (company_id, name_key);
CREATE TRIGGER labels_deleted AFTER DELETE ON public.labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER labels_inserted AFTER INSERT ON public.labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER labels_updated AFTER UPDATE ON public.labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
GRANT DELETE, INSERT, SELECT, UPDATE ON labels TO paydesk_application;

-- The sums of all postings before an hour, so that a balance is read from the newest hour on; a trigger deletes sums that an older posting makes wrong.
CREATE TABLE ledger_balances (
  at timestamp with time zone NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  amount_minor numeric NOT NULL,
  CONSTRAINT ledger_balances_pkey PRIMARY KEY (at, account, currency)
);
GRANT SELECT ON ledger_balances TO paydesk_application;

-- The postings of each month by kind and account, added hour by hour up to the newest up_to; a trigger deletes sums that an older posting makes wrong.
CREATE TABLE ledger_months (
  month timestamp with time zone NOT NULL,
  kind text NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  amount_minor numeric NOT NULL,
  up_to timestamp with time zone NOT NULL,
  CONSTRAINT ledger_months_pkey PRIMARY KEY (month, kind, account, currency)
);
CREATE INDEX ledger_months_by_end ON public.ledger_months USING btree (up_to);
GRANT SELECT ON ledger_months TO paydesk_application;

-- The double-entry ledger; only triggers write it, and the postings of each statement add up to zero.
CREATE TABLE ledger_postings (
  company_id uuid NOT NULL,
  source_id uuid NOT NULL,
  kind text NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  invoice_id uuid,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT ledger_postings_pkey PRIMARY KEY (company_id, source_id, kind, account),
  CONSTRAINT ledger_postings_account_check CHECK ((account ~ '^(receivable|revenue|tax|credit|goodwill|refunds_due|disputed|dispute_losses|unallocated|gateway_fees|bank|cash:[a-z0-9_-]+)$'::text)) NOT VALID,
  CONSTRAINT ledger_postings_amount_minor_check CHECK ((amount_minor <> 0)),
  CONSTRAINT ledger_postings_kind_check CHECK ((kind = ANY (ARRAY['invoice_issued'::text, 'invoice_voided'::text, 'credit_granted'::text, 'credit_corrected'::text, 'credit_carried_over'::text, 'credit_consumed'::text, 'credit_returned'::text, 'payment_captured'::text, 'credit_note_issued'::text, 'refund_sent'::text, 'dispute_withdrawn'::text, 'dispute_reinstated'::text, 'dispute_lost'::text, 'dispute_recovered'::text, 'gateway_fee'::text, 'payout'::text, 'payout_failed'::text]))) NOT VALID
);
CREATE INDEX ledger_postings_by_time ON public.ledger_postings USING btree (created_at, number);
CREATE INDEX ledger_postings_of_account ON public.ledger_postings USING btree (account, created_at, number) WHERE (account <> ALL (ARRAY['receivable'::text, 'revenue'::text]));
CREATE INDEX ledger_postings_of_invoice ON public.ledger_postings USING btree (invoice_id, created_at, number) WHERE (invoice_id IS NOT NULL);
CREATE INDEX ledger_postings_of_source ON public.ledger_postings USING btree (source_id, created_at, number);
CREATE TRIGGER ledger_postings_balanced AFTER INSERT ON public.ledger_postings REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION check_ledger_entries();
CREATE TRIGGER ledger_postings_reopen AFTER INSERT ON public.ledger_postings REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION reopen_ledger_hours();
GRANT SELECT ON ledger_postings TO paydesk_application;

-- Failed logins, with e-mails as hashes; kept 15 minutes.
CREATE TABLE login_failures (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  email_hash bytea NOT NULL,
  address text NOT NULL,
  failed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  is_known boolean NOT NULL DEFAULT false,
  CONSTRAINT login_failures_pkey PRIMARY KEY (id)
);
CREATE INDEX login_failures_by_address ON public.login_failures USING btree (address, failed_at);
CREATE INDEX login_failures_by_email ON public.login_failures USING btree (email_hash, failed_at);
CREATE INDEX login_failures_by_time ON public.login_failures USING btree (failed_at);
GRANT DELETE, INSERT, SELECT ON login_failures TO paydesk_application;

-- Who is locked out after failed logins, and how often before.
CREATE TABLE login_locks (
  subject text NOT NULL,
  locks integer NOT NULL DEFAULT 1,
  locked_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT login_locks_pkey PRIMARY KEY (subject)
);
CREATE INDEX login_locks_by_time ON public.login_locks USING btree (locked_until);
GRANT DELETE, INSERT, SELECT, UPDATE ON login_locks TO paydesk_application;

-- Numbers of documents that a restored database lacks and that nothing can write again, with what is known of them.
CREATE TABLE lost_numbers (
  company_id uuid NOT NULL,
  type text NOT NULL,
  number text NOT NULL,
  total numeric(20,4) NOT NULL,
  currency text,
  reason text NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT lost_numbers_pkey PRIMARY KEY (company_id, type, number),
  CONSTRAINT lost_numbers_type_check CHECK ((type = ANY (ARRAY['invoice'::text, 'credit_note'::text])))
);
GRANT DELETE, INSERT, SELECT ON lost_numbers TO paydesk_application;

-- When an address got mails of a type within the last hour; the address is a keyed hash.
CREATE TABLE mail_counts (
  subject bytea NOT NULL,
  written_at timestamp(3) with time zone[] NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL DEFAULT (now() + '01:00:00'::interval),
  CONSTRAINT mail_counts_pkey PRIMARY KEY (subject)
);
CREATE INDEX mail_counts_by_age ON public.mail_counts USING btree (expires_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON mail_counts TO paydesk_application;

-- Whether there is a mail server: one row, written when a process starts.
CREATE TABLE mail_server (
  is_only boolean NOT NULL DEFAULT true,
  is_set boolean NOT NULL,
  CONSTRAINT mail_server_pkey PRIMARY KEY (is_only),
  CONSTRAINT mail_server_is_only_check CHECK (is_only)
);
GRANT SELECT ON mail_server TO paydesk_application;

-- Who gets a company’s mails about money, in which language, and which of them it does not want. Without a row all is as by default.
CREATE TABLE mail_settings (
  company_id uuid NOT NULL,
  recipients jsonb NOT NULL DEFAULT '[]'::jsonb,
  language text NOT NULL DEFAULT 'en'::text,
  disabled jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT mail_settings_pkey PRIMARY KEY (company_id),
  CONSTRAINT mail_settings_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT INSERT, SELECT, UPDATE ON mail_settings TO paydesk_application;

-- A mail on its way to a user, or kept; the nil UUID stands for no company; the content is encrypted, and deleted once a mail with a link has ended.
CREATE TABLE mails (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  language text NOT NULL,
  recipients json NOT NULL,
  subject text NOT NULL,
  content bytea,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone,
  attempted_at timestamp with time zone NOT NULL DEFAULT now(),
  give_up_at timestamp with time zone NOT NULL,
  lease uuid,
  leased_until timestamp with time zone,
  process_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  sent_at timestamp(3) with time zone,
  invoice_id uuid,
  resend_of uuid,
  facts jsonb,
  attachments jsonb NOT NULL DEFAULT '[]'::jsonb,
  is_about_money boolean NOT NULL DEFAULT false,
  CONSTRAINT mails_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT mails_check CHECK (((status = 'queued'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT mails_check1 CHECK (((status = 'sent'::text) = (sent_at IS NOT NULL))),
  CONSTRAINT mails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'kept'::text])))
);
CREATE INDEX mails_about_money ON public.mails USING btree (id) WHERE is_about_money;
CREATE INDEX mails_by_age ON public.mails USING btree (created_at);
CREATE INDEX mails_by_id ON public.mails USING btree (id);
CREATE INDEX mails_by_recipient ON public.mails USING btree (company_id, ((recipients ->> 0)), created_at);
CREATE INDEX mails_by_status ON public.mails USING btree (status, id);
CREATE INDEX mails_by_type ON public.mails USING btree (type, id);
CREATE INDEX mails_failed ON public.mails USING btree (company_id) WHERE (status = 'failed'::text);
CREATE INDEX mails_failed_about_money ON public.mails USING btree (id) WHERE (is_about_money AND (status = 'failed'::text));
CREATE INDEX mails_leased ON public.mails USING btree (process_id) WHERE (lease IS NOT NULL);
CREATE INDEX mails_of_invoice ON public.mails USING btree (company_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);
CREATE INDEX mails_to ON public.mails USING btree (lower((recipients ->> 0)), id);
CREATE INDEX mails_to_several ON public.mails USING gin (((lower((recipients)::text))::jsonb)) WHERE (json_array_length(recipients) > 1);
CREATE INDEX mails_waiting ON public.mails USING btree (company_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX mails_with_content ON public.mails USING btree (created_at) WHERE ((facts IS NOT NULL) OR (content IS NOT NULL));
GRANT DELETE, INSERT, SELECT ON mails TO paydesk_application;

-- One for each charge, refund and document, written in its transaction; a journal outside of the database has the same.
CREATE TABLE marks (
  company_id uuid NOT NULL,
  mark uuid NOT NULL,
  kind text NOT NULL,
  subject uuid NOT NULL,
  written_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  is_journaled boolean NOT NULL DEFAULT false,
  CONSTRAINT marks_pkey PRIMARY KEY (company_id, mark)
);
CREATE INDEX marks_by_time ON public.marks USING btree (written_at);
CREATE INDEX marks_to_journal ON public.marks USING btree (written_at) WHERE (NOT is_journaled);
GRANT DELETE, INSERT, SELECT ON marks TO paydesk_application;

-- All marks that journals have and the database lacks; the end of the hold moves them to marks.
CREATE TABLE missing_marks (
  company_id uuid NOT NULL,
  mark uuid NOT NULL,
  kind text NOT NULL,
  subject uuid NOT NULL,
  happened_at timestamp(3) with time zone NOT NULL,
  credit_note_id uuid,
  CONSTRAINT missing_marks_pkey PRIMARY KEY (company_id, mark)
);
CREATE INDEX missing_marks_by_mark ON public.missing_marks USING btree (mark);
GRANT DELETE, INSERT, SELECT ON missing_marks TO paydesk_application;

-- Sign-ups and logins of a network within the last hour.
CREATE TABLE network_counts (
  kind text NOT NULL,
  network text NOT NULL,
  began_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  count integer NOT NULL DEFAULT 1,
  CONSTRAINT network_counts_pkey PRIMARY KEY (kind, network),
  CONSTRAINT network_counts_kind_check CHECK ((kind = ANY (ARRAY['sign_up'::text, 'login'::text])))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON network_counts TO paydesk_application;

-- The last number of each series; a transaction that takes numbers locks the row until its commit, so that there is no gap.
CREATE TABLE number_series (
  prefix text NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT number_series_pkey PRIMARY KEY (prefix),
  CONSTRAINT number_series_last_number_check CHECK ((last_number > 0))
);
GRANT INSERT, SELECT, UPDATE ON number_series TO paydesk_application;

-- One row: the settings of the numbers of invoices and credit notes.
CREATE TABLE numbering (
  id boolean NOT NULL DEFAULT true,
  series text NOT NULL DEFAULT 'seller'::text,
  invoice_prefix text NOT NULL DEFAULT 'INV-'::text,
  credit_note_prefix text NOT NULL DEFAULT 'CN-'::text,
  yearly_restart boolean NOT NULL DEFAULT false,
  timezone text NOT NULL DEFAULT 'UTC'::text,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT numbering_pkey PRIMARY KEY (id),
  CONSTRAINT numbering_id_check CHECK (id),
  CONSTRAINT numbering_prefixes_differ CHECK ((invoice_prefix <> credit_note_prefix)),
  CONSTRAINT numbering_series_check CHECK ((series = ANY (ARRAY['seller'::text, 'company'::text])))
);
GRANT SELECT, UPDATE ON numbering TO paydesk_application;

-- The operator’s keys: SHA-256, name, role, how it begins, last use, expiry; one is the first.
CREATE TABLE operator_keys (
  id uuid NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  name text NOT NULL,
  role text NOT NULL,
  prefix text NOT NULL,
  is_first boolean NOT NULL,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  CONSTRAINT operator_keys_pkey PRIMARY KEY (id),
  CONSTRAINT operator_keys_check CHECK (((NOT is_first) OR ((role = 'admin'::text) AND (expires_at IS NULL)))),
  CONSTRAINT operator_keys_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'finance'::text, 'admin'::text, 'integration'::text])))
);
CREATE INDEX operator_keys_by_hash ON public.operator_keys USING btree (key_hash);
CREATE UNIQUE INDEX operator_keys_first ON public.operator_keys USING btree (is_first) WHERE is_first;
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_keys TO paydesk_application;

-- Sessions of operator keys in the console, and views of companies by keys and staff; kept for a day after they expire.
CREATE TABLE operator_sessions (
  id uuid NOT NULL,
  viewed_company_id uuid,
  operator_key_id uuid,
  operator_key_hash bytea,
  staff_id uuid,
  opener_name text NOT NULL,
  opened_in uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  family_hash bytea NOT NULL,
  refresh_hash bytea NOT NULL,
  previous_hash bytea,
  successor_salt bytea,
  refreshed_at timestamp(3) with time zone,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT operator_sessions_viewed_company_id_fkey FOREIGN KEY (viewed_company_id) REFERENCES companies(id),
  CONSTRAINT operator_sessions_check CHECK (((num_nonnulls(operator_key_id, staff_id) = 1) AND (num_nulls(operator_key_id, operator_key_hash) = ANY (ARRAY[0, 2])))),
  CONSTRAINT operator_sessions_check1 CHECK (((viewed_company_id IS NOT NULL) OR (num_nonnulls(staff_id, opened_in) = 0))),
  CONSTRAINT operator_sessions_check2 CHECK ((num_nulls(previous_hash, successor_salt, refreshed_at) = ANY (ARRAY[0, 3])))
);
CREATE INDEX operator_sessions_by_age ON public.operator_sessions USING btree (expires_at);
CREATE INDEX operator_sessions_by_viewed_company ON public.operator_sessions USING btree (viewed_company_id) WHERE (viewed_company_id IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_sessions TO paydesk_application;

-- Challenges that a passkey has to sign, as SHA-256; kept five minutes.
CREATE TABLE passkey_challenges (
  hash bytea NOT NULL,
  user_id uuid,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (hash),
  CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkey_challenges_by_age ON public.passkey_challenges USING btree (expires_at);
GRANT DELETE, INSERT, SELECT ON passkey_challenges TO paydesk_application;

-- Public keys of WebAuthn credentials, with their counter and whether they are backed up.
CREATE TABLE passkeys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports json NOT NULL,
  backup_eligible boolean NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp(3) with time zone,
  CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id, id);
GRANT DELETE, INSERT, SELECT ON passkeys TO paydesk_application;

-- Attempts to charge a card or a PayPal account; unique indexes allow one payment that is not failed for each invoice, and one payment for each gateway object.
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
  withdrawn_minor bigint NOT NULL DEFAULT 0,
  reconcile_at timestamp(3) with time zone,
  reconcile_count integer NOT NULL DEFAULT 0,
  last_reconciled_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  credit_minor bigint NOT NULL DEFAULT 0,
  collection_attempt integer,
  paypal_account_id uuid,
  debt_sequence integer,
  process_id uuid,
  is_part boolean NOT NULL DEFAULT false,
  overpaid_minor bigint NOT NULL DEFAULT 0,
  on_session boolean NOT NULL DEFAULT false,
  expires_at timestamp(3) with time zone,
  action json,
  CONSTRAINT payments_counted TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT payments_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT payments_company_id_card_id_fkey FOREIGN KEY (company_id, card_id) REFERENCES cards(company_id, id),
  CONSTRAINT payments_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT payments_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT payments_company_id_paypal_account_id_fkey FOREIGN KEY (company_id, paypal_account_id) REFERENCES paypal_accounts(company_id, id),
  CONSTRAINT payments_amount_minor_check CHECK ((amount_minor >= 0)),
  CONSTRAINT payments_check CHECK (((state = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT payments_credit_minor_check CHECK ((credit_minor >= 0)),
  CONSTRAINT payments_debit_ends CHECK (((state <> 'processing'::text) OR ((expires_at IS NOT NULL) AND (gateway_payment_id IS NOT NULL)))) NOT VALID,
  CONSTRAINT payments_debt_sequence_check CHECK ((debt_sequence >= 0)),
  CONSTRAINT payments_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['declined'::text, 'not_sent'::text, 'rejected'::text, 'canceled'::text, 'superseded'::text]))) NOT VALID,
  CONSTRAINT payments_method_check CHECK ((method = ANY (ARRAY['Card'::text, 'paypal'::text]))),
  CONSTRAINT payments_overpaid_is_captured CHECK (((overpaid_minor = 0) OR ((overpaid_minor > 0) AND (state = 'captured'::text) AND ((NOT is_part) OR ((amount_minor + credit_minor) = 0))))) NOT VALID,
  CONSTRAINT payments_part_is_captured CHECK (((NOT is_part) OR (state = 'captured'::text))) NOT VALID,
  CONSTRAINT payments_source_of_method CHECK (
CASE method
    WHEN 'Card'::text THEN (paypal_account_id IS NULL)
    ELSE (card_id IS NULL)
END),
  CONSTRAINT payments_state_check CHECK ((state = ANY (ARRAY['created'::text, 'sending'::text, 'requires_action'::text, 'processing'::text, 'unknown'::text, 'needs_review'::text, 'captured'::text, 'failed'::text]))) NOT VALID,
  CONSTRAINT payments_waits_for_action CHECK ((((state = 'requires_action'::text) = (action IS NOT NULL)) AND ((state <> 'requires_action'::text) OR (expires_at IS NOT NULL)))) NOT VALID
);
CREATE INDEX payments_by_id ON public.payments USING btree (id);
CREATE INDEX payments_by_last_look ON public.payments USING btree (gateway, COALESCE(last_reconciled_at, created_at)) WHERE (state = ANY (ARRAY['created'::text, 'sending'::text, 'unknown'::text]));
CREATE INDEX payments_by_time ON public.payments USING btree (created_at, id);
CREATE INDEX payments_captured_by_time ON public.payments USING btree (gateway, created_at, id) WHERE (state = 'captured'::text);
CREATE INDEX payments_failed ON public.payments USING btree (created_at, id) WHERE (state = 'failed'::text);
CREATE INDEX payments_in_hand ON public.payments USING btree (process_id) WHERE ((process_id IS NOT NULL) AND (state = ANY (ARRAY['created'::text, 'sending'::text, 'unknown'::text])));
CREATE INDEX payments_of_invoice ON public.payments USING btree (company_id, invoice_id, created_at, id);
CREATE INDEX payments_of_source ON public.payments USING btree (company_id, COALESCE(card_id, paypal_account_id), created_at, id);
CREATE INDEX payments_processing ON public.payments USING btree (gateway, reconcile_at) WHERE (state = 'processing'::text);
CREATE INDEX payments_to_confirm ON public.payments USING btree (gateway, reconcile_at) WHERE (state = 'requires_action'::text);
CREATE INDEX payments_to_reconcile ON public.payments USING btree (gateway, reconcile_at) WHERE (state = ANY (ARRAY['created'::text, 'sending'::text, 'unknown'::text]));
CREATE INDEX payments_unsettled ON public.payments USING btree (state, created_at) WHERE (state = ANY (ARRAY['created'::text, 'sending'::text, 'processing'::text, 'unknown'::text, 'needs_review'::text]));
CREATE UNIQUE INDEX payments_collection_attempt_taken ON public.payments USING btree (company_id, invoice_id, collection_attempt) WHERE (collection_attempt IS NOT NULL);
CREATE UNIQUE INDEX payments_gateway_object_taken ON public.payments USING btree (gateway, gateway_payment_id) WHERE (gateway_payment_id IS NOT NULL);
CREATE UNIQUE INDEX payments_one_live ON public.payments USING btree (company_id, invoice_id) WHERE ((state <> 'failed'::text) AND (NOT is_part));
CREATE TRIGGER payments_asked_noted AFTER UPDATE OF state ON public.payments FOR EACH ROW WHEN (((new.state <> old.state) AND (new.state <> ALL (ARRAY['created'::text, 'sending'::text])))) EXECUTE FUNCTION note_asked_charge();
CREATE TRIGGER payments_capture_posted AFTER UPDATE OF state ON public.payments FOR EACH ROW WHEN (((old.state <> 'captured'::text) AND (new.state = 'captured'::text) AND ((new.amount_minor + new.overpaid_minor) > 0))) EXECUTE FUNCTION post_capture();
CREATE CONSTRAINT TRIGGER payments_counted AFTER INSERT OR DELETE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER payments_insert_posted AFTER INSERT ON public.payments FOR EACH ROW WHEN (((new.state = 'captured'::text) AND ((new.amount_minor + new.overpaid_minor) > 0))) EXECUTE FUNCTION post_capture();
CREATE TRIGGER payments_processing AFTER UPDATE OF state ON public.payments FOR EACH ROW WHEN (((new.state = 'processing'::text) AND (old.state <> 'processing'::text))) EXECUTE FUNCTION suspend_collection_by_payment();
CREATE TRIGGER payments_to_collect AFTER UPDATE ON public.payments FOR EACH ROW WHEN (((new.state <> old.state) AND (new.state = ANY (ARRAY['captured'::text, 'failed'::text])))) EXECUTE FUNCTION wake_collection_by_payment();
CREATE TRIGGER payments_to_confirm AFTER UPDATE OF state ON public.payments FOR EACH ROW WHEN (((new.state = 'requires_action'::text) AND (old.state <> 'requires_action'::text))) EXECUTE FUNCTION suspend_collection_by_payment();
GRANT INSERT, SELECT, UPDATE ON payments TO paydesk_application;

-- PayPal accounts: the gateway’s token and the e-mail; at most one default; one row for each account of a company.
CREATE TABLE paypal_accounts (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  email text NOT NULL,
  gateway text NOT NULL,
  gateway_token text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  detach_at timestamp(3) with time zone,
  process_id uuid,
  CONSTRAINT paypal_accounts_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT paypal_accounts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE INDEX paypal_accounts_in_hand ON public.paypal_accounts USING btree (process_id) WHERE ((process_id IS NOT NULL) AND (detach_at IS NOT NULL));
CREATE INDEX paypal_accounts_to_detach ON public.paypal_accounts USING btree (detach_at) WHERE (detach_at IS NOT NULL);
CREATE UNIQUE INDEX paypal_accounts_one_default ON public.paypal_accounts USING btree (company_id) WHERE (is_default AND (deleted_at IS NULL));
CREATE UNIQUE INDEX paypal_accounts_vaulted_once ON public.paypal_accounts USING btree (company_id, gateway, gateway_token) WHERE (deleted_at IS NULL);
CREATE TRIGGER paypal_accounts_added_to_collect AFTER INSERT ON public.paypal_accounts FOR EACH ROW EXECUTE FUNCTION wake_collections_by_source('paypal');
CREATE TRIGGER paypal_accounts_changed_to_collect AFTER UPDATE ON public.paypal_accounts FOR EACH ROW WHEN (((new.is_default AND (NOT old.is_default)) OR (new.deleted_at IS DISTINCT FROM old.deleted_at) OR (new.gateway <> old.gateway))) EXECUTE FUNCTION wake_collections_by_source('paypal');
GRANT INSERT, SELECT, UPDATE ON paypal_accounts TO paydesk_application;

-- Versions of prices; scope is the company, or the nil UUID for general prices; the service may change only the end of a price, or delete one.
CREATE TABLE prices (
  id uuid NOT NULL,
  company_id uuid,
  scope uuid NOT NULL GENERATED ALWAYS AS (COALESCE(company_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
  path text COLLATE "C" NOT NULL,
  title text NOT NULL,
  currency text NOT NULL,
  model text NOT NULL,
  rates json NOT NULL,
  free_requests bigint NOT NULL,
  pooled boolean NOT NULL,
  effective_from timestamp(3) with time zone NOT NULL,
  effective_to timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  from_month text,
  to_month text,
  CONSTRAINT prices_pkey PRIMARY KEY (id),
  CONSTRAINT prices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT prices_check CHECK ((effective_to > effective_from)),
  CONSTRAINT prices_effective_from_check CHECK (((EXTRACT(epoch FROM effective_from) % (3600)::numeric) = (0)::numeric)),
  CONSTRAINT prices_effective_to_check CHECK (((EXTRACT(epoch FROM effective_to) % (3600)::numeric) = (0)::numeric)),
  CONSTRAINT prices_free_requests_check CHECK ((free_requests >= 0)),
  CONSTRAINT prices_from_month_check CHECK ((from_month ~ '^\d{4}-\d{2}$'::text)),
  CONSTRAINT prices_model_check CHECK ((model = ANY (ARRAY['flat'::text, 'package'::text, 'graduated'::text, 'volume'::text]))),
  CONSTRAINT prices_to_month_check CHECK ((to_month ~ '^\d{4}-\d{2}$'::text))
);
CREATE INDEX prices_listed ON public.prices USING btree (path, currency, scope, effective_from DESC);
CREATE UNIQUE INDEX prices_version_taken ON public.prices USING btree (scope, currency, path, effective_from);
GRANT DELETE, INSERT, SELECT ON prices TO paydesk_application;

-- The running processes, with the time at which each was last seen, and its journal.
CREATE TABLE processes (
  id uuid NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  steady_since timestamp(3) with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  journal_id uuid,
  CONSTRAINT processes_pkey PRIMARY KEY (id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON processes TO paydesk_application;

-- What a gateway or a journal has and the database lacked during a hold, and what was done about it.
CREATE TABLE recovery_cases (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  hold_id uuid NOT NULL,
  source text NOT NULL,
  kind text NOT NULL,
  mark uuid,
  subject uuid,
  gateway text,
  object_id text,
  happened_at timestamp(3) with time zone NOT NULL,
  content text,
  request json,
  state text NOT NULL DEFAULT 'open'::text,
  note text,
  found_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  decided_at timestamp(3) with time zone,
  alert uuid,
  number text GENERATED ALWAYS AS (
CASE
    WHEN ((source = 'journal'::text) AND (kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))) THEN ((content)::json ->> 'number'::text)
    WHEN ((source = 'gateway'::text) AND (kind = 'payment'::text)) THEN ((content)::json #>> '{details,invoiceNumber}'::text[])
    WHEN ((source = 'gateway'::text) AND (kind = 'refund'::text)) THEN ((content)::json #>> '{details,creditNoteNumber}'::text[])
    ELSE NULL::text
END) STORED,
  review_of uuid,
  company_external_id text,
  CONSTRAINT recovery_cases_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT recovery_cases_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES charges_holds(id),
  CONSTRAINT recovery_cases_check CHECK (((source = 'journal'::text) OR ((gateway IS NOT NULL) AND (object_id IS NOT NULL)))),
  CONSTRAINT recovery_cases_check1 CHECK (((source = 'gateway'::text) OR ((mark IS NOT NULL) AND (subject IS NOT NULL)))),
  CONSTRAINT recovery_cases_source_check CHECK ((source = ANY (ARRAY['gateway'::text, 'journal'::text]))),
  CONSTRAINT recovery_cases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'person'::text])))
);
CREATE INDEX recovery_cases_by_id ON public.recovery_cases USING btree (id);
CREATE INDEX recovery_cases_by_time ON public.recovery_cases USING btree (happened_at, id) INCLUDE (state, review_of);
CREATE INDEX recovery_cases_in_order ON public.recovery_cases USING btree (hold_id, state, happened_at, id);
CREATE INDEX recovery_cases_of_company ON public.recovery_cases USING btree (company_id, happened_at, id) WHERE ((state = 'person'::text) AND (content IS NOT NULL));
CREATE INDEX recovery_cases_of_lost_company ON public.recovery_cases USING btree (subject, happened_at) WHERE (kind = 'company'::text);
CREATE INDEX recovery_cases_of_lost_invoice ON public.recovery_cases USING btree (company_id, subject) WHERE ((kind = 'invoice'::text) AND (content IS NOT NULL));
CREATE INDEX recovery_cases_open_by_id ON public.recovery_cases USING btree (hold_id, id) WHERE (state = 'open'::text);
CREATE INDEX recovery_cases_open_companies ON public.recovery_cases USING btree (happened_at, id) WHERE ((state = 'open'::text) AND (kind = 'company'::text));
CREATE INDEX recovery_cases_open_in_line ON public.recovery_cases USING btree (happened_at, id) WHERE (state = 'open'::text);
CREATE INDEX recovery_cases_open_invoices ON public.recovery_cases USING btree (happened_at, id) WHERE ((state = 'open'::text) AND (kind = 'invoice'::text));
CREATE UNIQUE INDEX recovery_cases_entry_taken ON public.recovery_cases USING btree (company_id, mark, kind, hold_id) WHERE (source = 'journal'::text);
CREATE UNIQUE INDEX recovery_cases_object_taken ON public.recovery_cases USING btree (gateway, object_id, kind, hold_id) WHERE (source = 'gateway'::text);
GRANT INSERT, SELECT, UPDATE ON recovery_cases TO paydesk_application;

-- The SHA-256 of the recovery codes that are left.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
GRANT DELETE, INSERT, SELECT ON recovery_codes TO paydesk_application;

-- Refunds of payments; triggers keep their sum within what the payment took less what disputes withdrew, and keep ended refunds unchanged.
CREATE TABLE refunds (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  payment_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  credit_note_id uuid,
  gateway text NOT NULL,
  amount_minor bigint NOT NULL,
  credit_minor bigint NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  source text NOT NULL DEFAULT 'operator'::text,
  idempotency_key text,
  state text NOT NULL,
  gateway_refund_id text,
  reconcile_at timestamp(3) with time zone,
  reconcile_count integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  process_id uuid,
  returns_capture boolean NOT NULL DEFAULT false,
  CONSTRAINT refunds_key_taken UNIQUE (company_id, payment_id, idempotency_key),
  CONSTRAINT refunds_counted TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT refunds_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT refunds_company_id_credit_note_id_fkey FOREIGN KEY (company_id, credit_note_id) REFERENCES credit_notes(company_id, id),
  CONSTRAINT refunds_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT refunds_company_id_invoice_id_fkey FOREIGN KEY (company_id, invoice_id) REFERENCES invoices(company_id, id),
  CONSTRAINT refunds_company_id_payment_id_fkey FOREIGN KEY (company_id, payment_id) REFERENCES payments(company_id, id),
  CONSTRAINT refunds_amount_minor_check CHECK ((amount_minor >= 0)),
  CONSTRAINT refunds_check CHECK (((amount_minor + credit_minor) > 0)),
  CONSTRAINT refunds_check1 CHECK (((state <> 'succeeded'::text) OR (amount_minor = 0) OR (gateway_refund_id IS NOT NULL))),
  CONSTRAINT refunds_check2 CHECK (((state = ANY (ARRAY['created'::text, 'unknown'::text])) = (reconcile_at IS NOT NULL))),
  CONSTRAINT refunds_check3 CHECK (((source = 'operator'::text) OR ((credit_minor = 0) AND (idempotency_key IS NULL)))),
  CONSTRAINT refunds_credit_minor_check CHECK ((credit_minor >= 0)),
  CONSTRAINT refunds_source_check CHECK ((source = ANY (ARRAY['operator'::text, 'gateway'::text]))),
  CONSTRAINT refunds_state_check CHECK ((state = ANY (ARRAY['created'::text, 'unknown'::text, 'needs_review'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX refunds_by_id ON public.refunds USING btree (id);
CREATE INDEX refunds_by_last_look ON public.refunds USING btree (gateway, updated_at) WHERE (state = ANY (ARRAY['created'::text, 'unknown'::text]));
CREATE INDEX refunds_by_time ON public.refunds USING btree (gateway, created_at, id);
CREATE INDEX refunds_in_hand ON public.refunds USING btree (process_id) WHERE ((process_id IS NOT NULL) AND (state = ANY (ARRAY['created'::text, 'unknown'::text])));
CREATE INDEX refunds_in_order ON public.refunds USING btree (created_at, id);
CREATE INDEX refunds_not_succeeded ON public.refunds USING btree (created_at, id) WHERE (state <> 'succeeded'::text);
CREATE INDEX refunds_of_invoice ON public.refunds USING btree (company_id, invoice_id);
CREATE INDEX refunds_of_payment ON public.refunds USING btree (company_id, payment_id, id);
CREATE INDEX refunds_to_reconcile ON public.refunds USING btree (gateway, reconcile_at) WHERE (state = ANY (ARRAY['created'::text, 'unknown'::text]));
CREATE INDEX refunds_to_review ON public.refunds USING btree (created_at, id) WHERE (state = 'needs_review'::text);
CREATE UNIQUE INDEX refunds_gateway_object_taken ON public.refunds USING btree (gateway, gateway_refund_id) WHERE (gateway_refund_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER refunds_counted AFTER INSERT OR DELETE ON public.refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE TRIGGER refunds_end_once BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN ((old.state = ANY (ARRAY['succeeded'::text, 'failed'::text]))) EXECUTE FUNCTION keep_ended_refund();
CREATE TRIGGER refunds_posted AFTER INSERT OR UPDATE ON public.refunds FOR EACH ROW WHEN (((new.state = 'succeeded'::text) AND (NOT new.returns_capture))) EXECUTE FUNCTION post_refund();
CREATE TRIGGER refunds_returned_capture_posted AFTER UPDATE ON public.refunds FOR EACH ROW WHEN (((new.state = 'succeeded'::text) AND new.returns_capture)) EXECUTE FUNCTION post_returned_capture();
CREATE TRIGGER refunds_within_payment BEFORE INSERT ON public.refunds FOR EACH ROW EXECUTE FUNCTION keep_refunds_within_payment();
GRANT INSERT, SELECT ON refunds TO paydesk_application;

-- The roles that companies define; those of the system are code (server/src/platform/permissions.ts).
CREATE TABLE roles (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_case(name)) STORED,
  description text NOT NULL,
  permission jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT roles_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT roles_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT roles_name_of_system CHECK ((name_key <> ALL (ARRAY['admin'::text, 'billing manager'::text, 'support agent'::text, 'viewer'::text, 'customer'::text])))
);
CREATE UNIQUE INDEX roles_name_taken ON public.roles USING btree (company_id, name_key);
CREATE TRIGGER roles_described AFTER UPDATE ON public.roles FOR EACH ROW WHEN ((new.permission IS DISTINCT FROM old.permission)) EXECUTE FUNCTION describe_gateway_customer('company_id');
GRANT DELETE, INSERT, SELECT, UPDATE ON roles TO paydesk_application;

-- Exact totals of payments, refunds and credit notes of all companies; written last in a transaction.
CREATE TABLE row_counts (
  table_name text NOT NULL,
  shard smallint NOT NULL,
  counted bigint NOT NULL,
  CONSTRAINT row_counts_pkey PRIMARY KEY (table_name, shard)
);
GRANT INSERT, SELECT, UPDATE ON row_counts TO paydesk_application;

-- Work that begins by the clock, and when; each row is its own job, leased to one process at a time.
CREATE TABLE schedules (
  name text NOT NULL,
  next_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_run_at timestamp(3) with time zone,
  attempts integer NOT NULL DEFAULT 0,
  lease uuid,
  leased_until timestamp(3) with time zone,
  process_id uuid,
  CONSTRAINT schedules_pkey PRIMARY KEY (name)
);
GRANT INSERT, SELECT, UPDATE ON schedules TO paydesk_application;

-- The migrations that were applied, with their checksums.
CREATE TABLE schema_migrations (
  version integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (version)
);
GRANT SELECT ON schema_migrations TO paydesk_application;

-- Logins that wait for a second factor; kept five minutes.
CREATE TABLE second_factor_tokens (
  hash bytea NOT NULL,
  user_id uuid NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  challenge_hash bytea,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT second_factor_tokens_pkey PRIMARY KEY (hash),
  CONSTRAINT second_factor_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX second_factor_tokens_by_age ON public.second_factor_tokens USING btree (expires_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON second_factor_tokens TO paydesk_application;

-- One row: who issues the invoices.
CREATE TABLE seller (
  id boolean NOT NULL DEFAULT true,
  name text NOT NULL DEFAULT ''::text,
  address_lines json NOT NULL DEFAULT '[]'::json,
  tax_id text NOT NULL DEFAULT ''::text,
  email text NOT NULL DEFAULT ''::text,
  footer_text text NOT NULL DEFAULT ''::text,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  legal_note text NOT NULL DEFAULT ''::text,
  CONSTRAINT seller_pkey PRIMARY KEY (id),
  CONSTRAINT seller_id_check CHECK (id)
);
GRANT SELECT, UPDATE ON seller TO paydesk_application;

-- One behind every access token; hashes of the current refresh token, the one before and their family; where it was last used from.
CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  revoked_at timestamp(3) with time zone,
  family_hash bytea,
  refresh_hash bytea,
  previous_hash bytea,
  successor_salt bytea,
  refreshed_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  ip text NOT NULL DEFAULT ''::text,
  user_agent text NOT NULL DEFAULT ''::text,
  by_provider boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT sessions_check CHECK ((num_nulls(family_hash, refresh_hash, ends_at) = ANY (ARRAY[0, 3]))),
  CONSTRAINT sessions_check1 CHECK ((num_nulls(previous_hash, successor_salt, refreshed_at) = ANY (ARRAY[0, 3])))
);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO paydesk_application;

-- Which account a user of a provider has, and whether the provider of the user’s company may use it.
CREATE TABLE sign_in_links (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  is_of_company boolean NOT NULL DEFAULT false,
  provider text,
  email text,
  last_used_at timestamp(3) with time zone,
  CONSTRAINT sign_in_links_id UNIQUE (id),
  CONSTRAINT sign_in_links_one_subject UNIQUE (user_id, issuer),
  CONSTRAINT sign_in_links_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON sign_in_links TO paydesk_application;

-- The providers of single sign-on that the operator has set up, with their secrets encrypted.
CREATE TABLE sign_in_providers (
  name text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret bytea NOT NULL,
  email_domains jsonb NOT NULL,
  company_id uuid,
  role text,
  role_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_providers_pkey PRIMARY KEY (name),
  CONSTRAINT sign_in_providers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT sign_in_providers_role_in_use FOREIGN KEY (company_id, role_id) REFERENCES roles(company_id, id),
  CONSTRAINT sign_in_providers_one_role CHECK ((num_nonnulls(role, role_id) = num_nonnulls(company_id)))
);
CREATE INDEX sign_in_providers_of_company ON public.sign_in_providers USING btree (company_id, role_id) WHERE (company_id IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON sign_in_providers TO paydesk_application;

-- The open invitations to the operator’s staff, with the SHA-256 of the link’s token.
CREATE TABLE staff_invitations (
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  invited_by text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  inviter_id uuid,
  CONSTRAINT staff_invitations_email_key UNIQUE (email_key),
  CONSTRAINT staff_invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT staff_invitations_pkey PRIMARY KEY (id),
  CONSTRAINT staff_invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'finance'::text, 'admin'::text])))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON staff_invitations TO paydesk_application;

-- The secret of an authenticator app, encrypted, and the time step of its last code.
CREATE TABLE totp_secrets (
  user_id uuid NOT NULL,
  secret bytea NOT NULL,
  confirmed_at timestamp(3) with time zone,
  used_step bigint NOT NULL DEFAULT 0,
  CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id),
  CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON totp_secrets TO paydesk_application;

-- Captures that no invoice here gets after the database went back, with the refund of what is left; triggers post both, and reverse them if a company gets the capture later.
CREATE TABLE unallocated_captures (
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_payment_id text NOT NULL,
  captured_minor bigint NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  refund_id uuid,
  gateway_refund_id text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  refunded_at timestamp(3) with time zone,
  allocated_at timestamp(3) with time zone,
  CONSTRAINT unallocated_captures_taken UNIQUE (gateway, gateway_payment_id),
  CONSTRAINT unallocated_captures_pkey PRIMARY KEY (id),
  CONSTRAINT unallocated_captures_amount_minor_check1 CHECK ((((amount_minor >= 0) AND (amount_minor <= captured_minor)) AND ((amount_minor = 0) = (refund_id IS NULL)))),
  CONSTRAINT unallocated_captures_check CHECK (((allocated_at IS NULL) OR (refund_id IS NULL))),
  CONSTRAINT unallocated_captures_check1 CHECK (((gateway_refund_id IS NULL) = (refunded_at IS NULL)))
);
CREATE INDEX unallocated_captures_refunds ON public.unallocated_captures USING btree (refund_id);
CREATE TRIGGER unallocated_captures_allocated AFTER UPDATE OF allocated_at ON public.unallocated_captures FOR EACH ROW WHEN (((old.allocated_at IS NULL) AND (new.allocated_at IS NOT NULL))) EXECUTE FUNCTION reverse_unallocated_capture();
CREATE TRIGGER unallocated_captures_posted AFTER INSERT ON public.unallocated_captures FOR EACH ROW EXECUTE FUNCTION post_unallocated_capture();
CREATE TRIGGER unallocated_captures_refund_posted AFTER UPDATE OF refunded_at ON public.unallocated_captures FOR EACH ROW WHEN (((old.refunded_at IS NULL) AND (new.refunded_at IS NOT NULL))) EXECUTE FUNCTION post_unallocated_refund();
GRANT INSERT, SELECT ON unallocated_captures TO paydesk_application;

-- What the gateway had refunded of an unallocated capture before; a trigger posts it.
CREATE TABLE unallocated_refunds (
  capture_id uuid NOT NULL,
  id uuid NOT NULL,
  gateway_refund_id text NOT NULL,
  amount_minor bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT unallocated_refunds_taken UNIQUE (gateway_refund_id, capture_id),
  CONSTRAINT unallocated_refunds_pkey PRIMARY KEY (capture_id, id),
  CONSTRAINT unallocated_refunds_capture_id_fkey FOREIGN KEY (capture_id) REFERENCES unallocated_captures(id),
  CONSTRAINT unallocated_refunds_amount_minor_check CHECK ((amount_minor > 0))
);
CREATE TRIGGER unallocated_refunds_posted AFTER INSERT ON public.unallocated_refunds FOR EACH ROW EXECUTE FUNCTION post_earlier_unallocated_refund();
GRANT INSERT, SELECT ON unallocated_refunds TO paydesk_application;

-- Events of external ids that no company has, and those that are still to be moved to one.
CREATE TABLE unattributed_events (
  unattributed_id bigint NOT NULL,
  digest uuid NOT NULL,
  came_at timestamp(3) with time zone NOT NULL,
  happened_at timestamp(3) with time zone NOT NULL,
  quantity bigint NOT NULL,
  path text COLLATE "C" NOT NULL,
  source text NOT NULL,
  event text NOT NULL,
  CONSTRAINT unattributed_events_pkey PRIMARY KEY (unattributed_id, digest),
  CONSTRAINT unattributed_events_quantity_check CHECK ((quantity >= 0))
);
GRANT DELETE, INSERT, SELECT ON unattributed_events TO paydesk_application;

-- External ids that no company has, with the sums of their usage.
CREATE TABLE unattributed_ids (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  external_id text COLLATE "C" NOT NULL,
  first_at timestamp(3) with time zone NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  oldest_time timestamp(3) with time zone NOT NULL,
  events integer NOT NULL,
  quantity numeric NOT NULL,
  discarded_at timestamp(3) with time zone,
  CONSTRAINT unattributed_ids_pkey PRIMARY KEY (id)
);
CREATE INDEX unattributed_ids_discarded ON public.unattributed_ids USING btree (id) WHERE (discarded_at IS NOT NULL);
CREATE UNIQUE INDEX unattributed_ids_waiting ON public.unattributed_ids USING btree (external_id) WHERE (discarded_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON unattributed_ids TO paydesk_application;

-- Companies that got an external id whose usage is still being moved to them.
CREATE TABLE usage_attributions (
  company_id uuid NOT NULL,
  unattributed_id bigint NOT NULL,
  moved_through uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  oldest_time timestamp(3) with time zone NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  due_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usage_attributions_pkey PRIMARY KEY (company_id, unattributed_id),
  CONSTRAINT usage_attributions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON usage_attributions TO paydesk_application;

-- Numbers that say what an invoice has counted; a unique index allows one open cutoff.
CREATE TABLE usage_cutoffs (
  number integer NOT NULL,
  closed_at timestamp(3) with time zone,
  CONSTRAINT usage_cutoffs_pkey PRIMARY KEY (number)
);
CREATE UNIQUE INDEX usage_cutoffs_one_open ON public.usage_cutoffs USING btree ((true)) WHERE (closed_at IS NULL);
GRANT INSERT, SELECT, UPDATE ON usage_cutoffs TO paydesk_application;

-- Sums by UTC day; no foreign key, because the same statement writes usage_hours.
CREATE TABLE usage_days (
  company_id uuid NOT NULL,
  day timestamp(0) with time zone NOT NULL,
  path text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  CONSTRAINT usage_days_pkey PRIMARY KEY (company_id, day, path)
);
GRANT INSERT, SELECT, UPDATE ON usage_days TO paydesk_application;

-- Sums that wait for the rollup.
CREATE TABLE usage_deltas (
  company_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  hour timestamp(0) with time zone NOT NULL,
  path text COLLATE "C" NOT NULL,
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  stored_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usage_deltas_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT usage_deltas_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT DELETE, INSERT, SELECT ON usage_deltas TO paydesk_application;

-- The digest of each stored event; append-only, no foreign key.
CREATE TABLE usage_event_keys (
  company_id uuid NOT NULL,
  digest uuid NOT NULL,
  CONSTRAINT usage_event_keys_pkey PRIMARY KEY (company_id, digest)
);
GRANT INSERT, SELECT ON usage_event_keys TO paydesk_application;

-- The events; append-only, no foreign key, no key of its own beside usage_event_keys, one partition for each month, kept for years.
CREATE TABLE usage_events (
  company_id uuid NOT NULL,
  stored_at timestamp(3) with time zone NOT NULL,
  digest uuid NOT NULL,
  happened_at timestamp(3) with time zone NOT NULL,
  quantity bigint NOT NULL,
  path text COLLATE "C" NOT NULL,
  source text NOT NULL,
  event text NOT NULL,
  CONSTRAINT usage_events_quantity_check CHECK ((quantity >= 0))
) PARTITION BY RANGE (stored_at);
GRANT INSERT, SELECT ON usage_events TO paydesk_application;

-- Sums by hour, in quarters; the rollup has locked the cutoff, so it needs no foreign key.
CREATE TABLE usage_hours (
  company_id uuid NOT NULL,
  hour timestamp(0) with time zone NOT NULL,
  path text COLLATE "C" NOT NULL,
  cutoff integer NOT NULL,
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  CONSTRAINT usage_hours_pkey PRIMARY KEY (company_id, hour, path, cutoff),
  CONSTRAINT usage_hours_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
CREATE INDEX usage_hours_by_cutoff ON public.usage_hours USING btree (company_id, cutoff, hour);
GRANT INSERT, SELECT, UPDATE ON usage_hours TO paydesk_application;

-- One row: until when usage events were deleted; older ones are refused.
CREATE TABLE usage_retention (
  id boolean NOT NULL DEFAULT true,
  removed_until timestamp with time zone NOT NULL,
  CONSTRAINT usage_retention_pkey PRIMARY KEY (id),
  CONSTRAINT usage_retention_id_check CHECK (id)
);
GRANT SELECT ON usage_retention TO paydesk_application;

-- What the invoices of a billed period took for its usage, once one of them was written again after the database went back.
CREATE TABLE usage_taken (
  company_id uuid NOT NULL,
  period text NOT NULL,
  cutoff integer NOT NULL,
  taken numeric NOT NULL,
  is_exact boolean NOT NULL,
  CONSTRAINT usage_taken_pkey PRIMARY KEY (company_id, period, cutoff),
  CONSTRAINT usage_taken_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT usage_taken_company_id_period_fkey FOREIGN KEY (company_id, period) REFERENCES billed_periods(company_id, period),
  CONSTRAINT usage_taken_cutoff_fkey FOREIGN KEY (cutoff) REFERENCES usage_cutoffs(number)
);
GRANT INSERT, SELECT, UPDATE ON usage_taken TO paydesk_application;

-- Companies whose usage must be compared with their thresholds; written by the rollup.
CREATE TABLE usage_threshold_checks (
  company_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  first_hour timestamp(3) with time zone NOT NULL,
  last_hour timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usage_threshold_checks_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT usage_threshold_checks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id)
);
GRANT DELETE, INSERT, SELECT ON usage_threshold_checks TO paydesk_application;

-- Thresholds that were reached, once for each period; append-only.
CREATE TABLE usage_threshold_crossings (
  company_id uuid NOT NULL,
  threshold_id uuid NOT NULL,
  period text NOT NULL,
  quantity numeric NOT NULL,
  reached_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usage_threshold_crossings_pkey PRIMARY KEY (company_id, threshold_id, period),
  CONSTRAINT usage_threshold_crossings_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT usage_threshold_crossings_company_id_threshold_id_fkey FOREIGN KEY (company_id, threshold_id) REFERENCES usage_thresholds(company_id, id) ON DELETE CASCADE
);
GRANT INSERT, SELECT ON usage_threshold_crossings TO paydesk_application;

-- Quantities of usage that a company wants to be told of; added and removed, never changed.
CREATE TABLE usage_thresholds (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  path text COLLATE "C" NOT NULL,
  quantity bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usage_thresholds_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT usage_thresholds_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT usage_thresholds_quantity_check CHECK ((quantity > 0))
);
CREATE INDEX usage_thresholds_by_id ON public.usage_thresholds USING btree (id);
GRANT DELETE, INSERT, SELECT ON usage_thresholds TO paydesk_application;

-- The SHA-256 of the states of sign-ins that were used; kept ten minutes.
CREATE TABLE used_sign_in_states (
  hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_sign_in_states_pkey PRIMARY KEY (hash)
);
CREATE INDEX used_sign_in_states_by_age ON public.used_sign_in_states USING btree (expires_at);
GRANT DELETE, INSERT, SELECT ON used_sign_in_states TO paydesk_application;

-- A person with an account, with one of the system’s roles (role) or of the company’s (role_id); a customer has no company.
CREATE TABLE users (
  id uuid NOT NULL,
  company_id uuid,
  role text,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  password_hash text,
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
  email_verified_at timestamp(3) with time zone,
  role_id uuid,
  deleted_at timestamp(3) with time zone,
  forgotten_at timestamp(3) with time zone,
  staff_role text,
  email_vouched_for boolean NOT NULL DEFAULT false,
  trusted_from timestamp(3) with time zone,
  trusted_until timestamp(3) with time zone,
  credential_epoch integer NOT NULL DEFAULT 0,
  CONSTRAINT users_email_key UNIQUE (email_key),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
  CONSTRAINT users_role_in_use FOREIGN KEY (company_id, role_id) REFERENCES roles(company_id, id),
  CONSTRAINT users_deleted_are_disabled CHECK (((deleted_at IS NULL) OR (disabled_at IS NOT NULL))),
  CONSTRAINT users_one_role CHECK ((num_nonnulls(role, role_id) = 1)),
  CONSTRAINT users_role_known CHECK ((role = ANY (ARRAY['Admin'::text, 'Billing manager'::text, 'Support agent'::text, 'Viewer'::text, 'Customer'::text, 'Staff'::text]))),
  CONSTRAINT users_role_of_company CHECK (((company_id IS NULL) = (COALESCE(role, ''::text) = ANY (ARRAY['Customer'::text, 'Staff'::text])))),
  CONSTRAINT users_role_of_staff CHECK (((COALESCE(role, ''::text) = 'Staff'::text) = (staff_role IS NOT NULL))),
  CONSTRAINT users_staff_role_check CHECK ((staff_role = ANY (ARRAY['viewer'::text, 'finance'::text, 'admin'::text])))
);
CREATE INDEX users_by_company ON public.users USING btree (company_id, created_at);
CREATE INDEX users_by_role ON public.users USING btree (company_id, role_id) WHERE (role_id IS NOT NULL);
CREATE INDEX users_staff ON public.users USING btree (id) WHERE (staff_role IS NOT NULL);
CREATE INDEX users_to_forget ON public.users USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (forgotten_at IS NULL));
CREATE TRIGGER users_described AFTER UPDATE ON public.users FOR EACH ROW WHEN (((new.company_id IS NOT NULL) AND ((((((new.email IS DISTINCT FROM old.email) OR (new.company_id IS DISTINCT FROM old.company_id)) OR (new.role IS DISTINCT FROM old.role)) OR (new.role_id IS DISTINCT FROM old.role_id)) OR (new.disabled_at IS DISTINCT FROM old.disabled_at)) OR (new.deleted_at IS DISTINCT FROM old.deleted_at)))) EXECUTE FUNCTION describe_gateway_customer('company_id');
CREATE TRIGGER users_described_new AFTER INSERT ON public.users FOR EACH ROW WHEN ((new.company_id IS NOT NULL)) EXECUTE FUNCTION describe_gateway_customer('company_id');
CREATE TRIGGER users_searched AFTER UPDATE ON public.users FOR EACH ROW WHEN (((new.company_id IS DISTINCT FROM old.company_id) OR (new.email IS DISTINCT FROM old.email))) EXECUTE FUNCTION search_user();
CREATE TRIGGER users_searched_new AFTER INSERT ON public.users FOR EACH ROW WHEN ((new.company_id IS NOT NULL)) EXECUTE FUNCTION search_user();
GRANT INSERT, SELECT, UPDATE ON users TO paydesk_application;

-- Each attempt of a delivery.
CREATE TABLE webhook_attempts (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event uuid NOT NULL,
  try integer NOT NULL,
  status integer,
  duration_ms integer NOT NULL,
  failure text,
  response text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT webhook_attempts_company_id_endpoint_id_fkey FOREIGN KEY (company_id, endpoint_id) REFERENCES webhook_endpoints(company_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_by_age ON public.webhook_attempts USING btree (created_at);
CREATE INDEX webhook_attempts_of_delivery ON public.webhook_attempts USING btree (company_id, endpoint_id, event, id);
GRANT DELETE, INSERT, SELECT ON webhook_attempts TO paydesk_application;

-- An event on its way to an endpoint; each row is its own job.
CREATE TABLE webhook_deliveries (
  company_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event uuid NOT NULL,
  about uuid NOT NULL,
  state text NOT NULL DEFAULT 'pending'::text,
  tries integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone,
  lease uuid,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  process_id uuid,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (company_id, endpoint_id, event),
  CONSTRAINT webhook_deliveries_company_id_endpoint_id_fkey FOREIGN KEY (company_id, endpoint_id) REFERENCES webhook_endpoints(company_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_check CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_check1 CHECK (((lease IS NULL) = (leased_until IS NULL))),
  CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (created_at) WHERE (state <> 'pending'::text);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (company_id, endpoint_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (company_id, endpoint_id) WHERE (state = 'failed'::text);
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (company_id, endpoint_id) WHERE (lease IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_deliveries TO paydesk_application;

-- Where events are sent; the nil UUID stands for the operator; secrets are encrypted.
CREATE TABLE webhook_endpoints (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  types text[] NOT NULL,
  status text NOT NULL DEFAULT 'enabled'::text,
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (company_id, id),
  CONSTRAINT webhook_endpoints_check CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
  CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'failing'::text, 'disabled'::text])))
);
CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (company_id, id) WHERE (status = 'failing'::text);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_endpoints TO paydesk_application;
