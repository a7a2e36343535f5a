-- A statement that removes several assignments locks them in one order first, and PostgreSQL asks for this privilege to lock a row.
GRANT UPDATE (label_id) ON label_assignments TO paydesk_application;
