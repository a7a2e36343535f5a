-- In which hold the whole journal was read last, and in which it was declared lost. Times do not say it: the clock may have been ahead.
ALTER TABLE journals ADD COLUMN read_in uuid REFERENCES charges_holds, ADD COLUMN lost_in uuid REFERENCES charges_holds;
UPDATE journals SET
  read_in = (SELECT id FROM charges_holds WHERE ended_at IS NULL AND read_at >= begun_at),
  lost_in = (SELECT id FROM charges_holds WHERE ended_at IS NULL AND lost_at >= begun_at);

-- A hold that began by a clock that was ahead begins anew.
GRANT UPDATE (begun_at) ON charges_holds TO paydesk_application;
