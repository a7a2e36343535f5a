-- What an invoice took for the usage of its period, net in major units, if it was written again after the database went back: the usage
-- that it was for may be lost, and only what exceeds this is late usage. Null for all others.
ALTER TABLE billed_periods ADD COLUMN taken numeric;
