-- Each process that keeps a journal for this database, and from when until when it did, by its own clock, which its entries have too. So an
-- entry that this database lacks can be told from one that another database, a copy of this one, has written to the same journal.
CREATE TABLE journal_writers (
  id uuid PRIMARY KEY,
  begun_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  -- Counted by the process each second. One that meets a lower number knows that the database went back.
  beats integer NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON journal_writers TO paydesk_application;

-- Who wrote the entry, and whether another database did.
ALTER TABLE recovery_cases ADD COLUMN writer uuid, ADD COLUMN is_foreign boolean NOT NULL DEFAULT false;

-- When something was last found that another database has written to a journal of this one.
ALTER TABLE charges_holds ADD COLUMN other_database_at timestamptz(3);
GRANT UPDATE (other_database_at) ON charges_holds TO paydesk_application;
