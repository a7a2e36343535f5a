-- Prices that begin, or end, with each company's own month: with its billing period of that name, wherever that begins.

-- Beside them `effective_from` and `effective_to` are the month's first instant in UTC, which puts versions in order.
ALTER TABLE prices
  ADD COLUMN from_month text CHECK (from_month ~ '^\d{4}-\d{2}$'),
  ADD COLUMN to_month text CHECK (to_month ~ '^\d{4}-\d{2}$');

GRANT UPDATE (to_month) ON prices TO paydesk_application;
