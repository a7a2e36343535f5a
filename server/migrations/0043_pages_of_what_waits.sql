-- Whoever looks for what is due reads that alone, however much waits for a later turn. Once the clock was set back, what was looked at
-- later than now is due, too.
CREATE INDEX payments_by_last_look ON payments (gateway, (coalesce(last_reconciled_at, created_at)))
  WHERE state IN ('created', 'sending', 'unknown');
CREATE INDEX refunds_by_last_look ON refunds (gateway, updated_at) WHERE state IN ('created', 'unknown');

-- Of the two accounts that each invoice has, a page of the ledger is full soon. Of any other there may be none among millions.
DROP INDEX ledger_postings_of_rare_account;
CREATE INDEX ledger_postings_of_account ON ledger_postings (account, created_at, number) WHERE account NOT IN ('receivable', 'revenue');
