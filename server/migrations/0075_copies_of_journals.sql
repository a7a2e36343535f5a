-- When a person last sent the newest entry that the database knows of a journal. A copy without it is an older one, and does not count as
-- read.
ALTER TABLE journals ADD COLUMN sent_at timestamptz(3);
