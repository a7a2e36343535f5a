-- A journal with damaged lines does not count as read, like one that is not there: the log names its lines. Nobody asks any more whether a
-- copy that a person sends is the newest one.
ALTER TABLE journals DROP COLUMN damage, DROP COLUMN sent_at;
