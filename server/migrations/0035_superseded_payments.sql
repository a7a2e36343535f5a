-- A payment that never charged, because the gateway had captured another one of the same debt before: that one counts instead.
ALTER TABLE payments DROP CONSTRAINT payments_failure_reason_check;
ALTER TABLE payments ADD CONSTRAINT payments_failure_reason_check
  CHECK (failure_reason IN ('declined', 'not_sent', 'rejected', 'canceled', 'superseded')) NOT VALID;
