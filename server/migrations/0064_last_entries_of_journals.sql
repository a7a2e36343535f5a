-- Which entry each journal got last, and when. The newest of all says which journal has what was done last: if that journal is not there
-- after a restore, or lacks this entry, what it had may be lost. Null until the journal gets one.
ALTER TABLE journals
  ADD COLUMN last_company_id uuid,
  ADD COLUMN last_mark uuid,
  ADD COLUMN last_mark_at timestamptz(3),
  -- Files and lines of the journal that can't be read, as the last pass of a hold found them; null where there are none.
  ADD COLUMN damage text,
  -- In which hold a person said that these lines will not come back.
  ADD COLUMN damage_lost_in uuid REFERENCES charges_holds;

-- The journal that the process keeps; null of a process that has none yet.
ALTER TABLE processes ADD COLUMN journal_id uuid;
