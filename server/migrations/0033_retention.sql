-- What would grow for ever is removed in time: see docs/retention.md. The service itself may not delete any of it, but through these.

-- Up to when what came in is kept no longer: what happened before may be a repeat that nobody can recognise, and is refused.
CREATE TABLE usage_retention (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  removed_until timestamptz NOT NULL
);
GRANT SELECT ON usage_retention TO paydesk_application;

-- Of the oldest month of usage that is so many years past: so many events and the keys that repeats of them are known by; the empty
-- month itself at last. Sums of usage stay. Nothing while another process is at it.
CREATE FUNCTION remove_old_usage(years integer, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
$$;

-- What the collection noted of invoices that were paid, credited or voided more than a year ago: it is never taken up again.
CREATE INDEX collections_closed ON collections (updated_at) WHERE state = 'closed';
CREATE FUNCTION remove_closed_collections(most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM collections WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM collections WHERE state = 'closed' AND updated_at < now() - interval '1 year' ORDER BY updated_at LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM removed
$$;

-- Alerts that somebody took in hand more than two years ago. The events that told of them are gone before.
CREATE INDEX alerts_acknowledged ON alerts (acknowledged_at) WHERE acknowledged_at IS NOT NULL;
CREATE FUNCTION remove_old_alerts(most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH removed AS (
    DELETE FROM alerts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM alerts WHERE acknowledged_at < now() - interval '2 years' ORDER BY acknowledged_at LIMIT most))
    RETURNING 1
  )
  SELECT count(*)::integer FROM removed
$$;

-- Rows that change soon after they are written: a vacuum after so many of them, not after a share of all that there ever were. Where no
-- index has what changes, there is room for the new version on the same page.
ALTER TABLE payments SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE invoices SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE collections SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE webhook_deliveries SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE idempotency_keys SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
