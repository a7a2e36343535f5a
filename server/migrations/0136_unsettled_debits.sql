-- Lists of the payments that are Processing find debits that are on their way in the same index.
DROP INDEX payments_unsettled;
CREATE INDEX payments_unsettled ON payments (state, created_at)
  WHERE state IN ('created', 'sending', 'processing', 'unknown', 'needs_review');
