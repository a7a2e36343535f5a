-- A gateway event that arrives while charges are held is kept whole, and acted on after the hold.
ALTER TABLE gateway_notices
  ADD COLUMN kind text,
  ADD COLUMN refund_reference text,
  ADD COLUMN dispute_id text,
  -- When to act on it; null for one that was acted on as it arrived.
  ADD COLUMN act_at timestamptz(3);
CREATE INDEX gateway_notices_kept ON gateway_notices (act_at) WHERE act_at IS NOT NULL AND outcome IS NULL;
GRANT UPDATE (kind, refund_reference, dispute_id, act_at) ON gateway_notices TO paydesk_application;
