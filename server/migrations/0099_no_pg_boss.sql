-- The queue is the tables of the features now. What was in this one began work that its tables name.
DROP SCHEMA paydesk_jobs CASCADE;
