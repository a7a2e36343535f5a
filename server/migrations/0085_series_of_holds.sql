-- Whether the documents that come back without their numbers, while a journal is lost, get a series of their own already.
ALTER TABLE charges_holds ADD COLUMN has_new_series boolean NOT NULL DEFAULT false;
GRANT UPDATE (has_new_series) ON charges_holds TO paydesk_application;
