-- The rollup writes hours and days in one statement, into the cutoff that it has locked. The foreign key of usage_hours holds the company
-- for both; the others took a quarter of its time and could not be violated by it.
ALTER TABLE usage_hours DROP CONSTRAINT usage_hours_cutoff_fkey;
ALTER TABLE usage_days DROP CONSTRAINT usage_days_company_id_fkey;
COMMENT ON TABLE usage_hours IS 'Sums by hour, in quarters; the rollup has locked the cutoff, so it needs no foreign key.';
COMMENT ON TABLE usage_days IS 'Sums by UTC day; no foreign key, because the same statement writes usage_hours.';
