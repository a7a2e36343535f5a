-- Usage: what companies really used, event by event, and its sums.

-- One digest for each event there ever was, so that a repeat is known for ever. It is the first half of the SHA-256 of the event's
-- source and id, because the texts themselves would make the index several times as large. No foreign key, nor on usage_events:
-- the statement that writes the three tables takes the company from `companies`, and the one on usage_deltas holds it for all.
CREATE TABLE usage_event_keys (
  company_id uuid NOT NULL,
  digest uuid NOT NULL,
  PRIMARY KEY (company_id, digest)
);

-- The events themselves, for good: the service may add and read, and nothing else. One partition a month of their receipt.
CREATE TABLE usage_events (
  company_id uuid NOT NULL,
  -- When they were received, by the database's clock.
  stored_at timestamptz(3) NOT NULL,
  digest uuid NOT NULL,
  -- When it happened, as its source says.
  happened_at timestamptz(3) NOT NULL,
  quantity bigint NOT NULL CHECK (quantity >= 0),
  path text COLLATE "C" NOT NULL,
  source text NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (company_id, stored_at, digest)
) PARTITION BY RANGE (stored_at);

-- Sums that are not rolled up yet: an ingestion adds its own, in the same statement as its events, and the rollup takes them away
-- in the same statement as it adds them to usage_hours. So both tables together are exact at any moment.
CREATE TABLE usage_deltas (
  company_id uuid NOT NULL REFERENCES companies (id),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  hour timestamptz(0) NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- The hour by its quarters: no time zone begins its days elsewhere.
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  -- Since when it waits.
  stored_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 10);

-- Cutoffs divide all usage by what was known when: what is rolled up goes to the one that is open. Closing it, for a billing run,
-- opens the next. Late usage is what stands at a later cutoff than the invoice of its period.
CREATE TABLE usage_cutoffs (
  number integer PRIMARY KEY,
  closed_at timestamptz(3)
);
CREATE UNIQUE INDEX usage_cutoffs_one_open ON usage_cutoffs ((true)) WHERE closed_at IS NULL;
INSERT INTO usage_cutoffs (number) VALUES (1);

CREATE TABLE usage_hours (
  company_id uuid NOT NULL REFERENCES companies (id),
  hour timestamptz(0) NOT NULL,
  path text COLLATE "C" NOT NULL,
  cutoff integer NOT NULL REFERENCES usage_cutoffs (number),
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  PRIMARY KEY (company_id, hour, path, cutoff)
) WITH (fillfactor = 80);
CREATE INDEX usage_hours_by_cutoff ON usage_hours (company_id, cutoff, hour);

-- The hours added up by the days of UTC, of all cutoffs, for lists of many days. The rollup writes both in one statement.
CREATE TABLE usage_days (
  company_id uuid NOT NULL REFERENCES companies (id),
  day timestamptz(0) NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- Whatever fits into the hours fits into their day.
  quantity numeric NOT NULL,
  PRIMARY KEY (company_id, day, path)
) WITH (fillfactor = 80);

-- What of an hour falls into [period_start, period_end), both of which stand on quarters of an hour.
CREATE FUNCTION usage_within(
  hour timestamptz, quarter_1 bigint, quarter_2 bigint, quarter_3 bigint, quarter_4 bigint,
  period_start timestamptz, period_end timestamptz
) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN hour >= period_start AND hour + interval '1 hour' <= period_end THEN quarter_1 + quarter_2 + quarter_3 + quarter_4
    ELSE CASE WHEN hour >= period_start AND hour < period_end THEN quarter_1 ELSE 0 END
      + CASE WHEN hour + interval '15 minutes' >= period_start AND hour + interval '15 minutes' < period_end THEN quarter_2 ELSE 0 END
      + CASE WHEN hour + interval '30 minutes' >= period_start AND hour + interval '30 minutes' < period_end THEN quarter_3 ELSE 0 END
      + CASE WHEN hour + interval '45 minutes' >= period_start AND hour + interval '45 minutes' < period_end THEN quarter_4 ELSE 0 END
  END;

-- Makes the partitions of this month and the two that follow, unless they are there. The service may call it and thereby make
-- partitions, but nothing else. A table that is attached, unlike one that is made in its place, lets writers work on. Returns
-- until when there are partitions.
DO $migration$
BEGIN
  EXECUTE format($definition$
    CREATE FUNCTION create_usage_partitions() RETURNS timestamptz
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = %1$I, pg_temp
    AS $body$
    DECLARE
      month timestamp;
      partition text;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('create_usage_partitions'));
      FOR ahead IN 0..2 LOOP
        month := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead);
        partition := to_char(month, '"usage_events_"YYYY_MM');
        IF to_regclass(format('%%I.%%I', %1$L, partition)) IS NULL THEN
          EXECUTE format('CREATE TABLE %%I (LIKE usage_events INCLUDING ALL)', partition);
          EXECUTE format('ALTER TABLE usage_events ATTACH PARTITION %%I FOR VALUES FROM (%%L) TO (%%L)',
            partition, month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        END IF;
      END LOOP;
      RETURN (month + interval '1 month') AT TIME ZONE 'UTC';
    END
    $body$
  $definition$, current_schema());
END
$migration$;
REVOKE ALL ON FUNCTION create_usage_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_usage_partitions TO paydesk_application;

GRANT SELECT, INSERT ON usage_event_keys, usage_events TO paydesk_application;
GRANT SELECT, INSERT, DELETE ON usage_deltas TO paydesk_application;
GRANT SELECT, INSERT, UPDATE ON usage_cutoffs, usage_hours, usage_days TO paydesk_application;
