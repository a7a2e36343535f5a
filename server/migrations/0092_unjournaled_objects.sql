-- What a gateway has made is in a journal before. If none that was read has it, a journal went back with the database, or is not known.

ALTER TABLE charges_holds
  -- Such an object, for people; null where none is known.
  ADD COLUMN unjournaled text,
  -- When a person said that the journal which had it will not come back.
  ADD COLUMN unjournaled_lost_at timestamptz(3);
GRANT UPDATE (unjournaled, unjournaled_lost_at) ON charges_holds TO paydesk_application;
-- The alert of a hold says so too.
GRANT UPDATE (message) ON alerts TO paydesk_application;
