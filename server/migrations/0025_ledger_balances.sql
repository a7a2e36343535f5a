-- What the operator reads of all companies touches its page, however much there is.

-- What all postings before an instant come to, hour by hour, as far as there were any. An hour is closed an hour after its end, when
-- no transaction of its time can be open any more.
CREATE TABLE ledger_balances (
  at timestamptz NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  amount_minor numeric NOT NULL,
  PRIMARY KEY (at, account, currency)
);
GRANT SELECT ON ledger_balances TO paydesk_application;

-- Closes the oldest hour that is not closed and had postings; false when there is none.
CREATE FUNCTION close_ledger_hour() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
$$;

-- The database's clock was set back: hours that were closed are open again.
CREATE FUNCTION reopen_ledger_hours() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM ledger_balances WHERE at > (SELECT min(created_at) FROM posted);
  RETURN NULL;
END
$$;
CREATE TRIGGER ledger_postings_reopen AFTER INSERT ON ledger_postings REFERENCING NEW TABLE AS posted
FOR EACH STATEMENT EXECUTE FUNCTION reopen_ledger_hours();

-- The accounts that few postings are of; for the others, a page is found soon by time.
CREATE INDEX ledger_postings_of_rare_account ON ledger_postings (account, created_at, number)
WHERE account IN ('credit', 'goodwill', 'refunds_due', 'disputed', 'dispute_losses');

CREATE INDEX companies_by_email ON companies (lower(email)) WHERE email <> '';
