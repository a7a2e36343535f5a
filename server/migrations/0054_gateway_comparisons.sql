-- When each gateway was compared with the database. One process does so at a time.
CREATE TABLE gateway_comparisons (
  gateway text PRIMARY KEY,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When the last comparison began that found nothing missing. A database that went back has an earlier one.
  compared_at timestamptz(3)
);
GRANT SELECT, INSERT, UPDATE ON gateway_comparisons TO paydesk_application;
ALTER TABLE installation DROP COLUMN gateways_compared_at;
