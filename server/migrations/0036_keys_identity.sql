-- Which keys the database has been used with, by a keyed hash that says nothing about them. Null until the next start.
ALTER TABLE installation ADD COLUMN keys_identity text CHECK (keys_identity ~ '^[0-9a-f]{32}$');
GRANT UPDATE (keys_identity) ON installation TO paydesk_application;
