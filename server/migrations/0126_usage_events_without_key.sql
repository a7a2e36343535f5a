-- No statement reads events by a key, and what tells repeats is usage_event_keys, which the statement that writes events writes first. The
-- index took a tenth of that statement's time.
ALTER TABLE usage_events DROP CONSTRAINT usage_events_pkey;
COMMENT ON TABLE usage_events IS 'The events; append-only, no foreign key, no key of its own beside usage_event_keys, one partition for '
  'each month, kept for years.';
