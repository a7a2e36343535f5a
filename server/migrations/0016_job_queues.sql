-- What is read about jobs, by whoever runs the service and for the metrics. pg-boss has no use for these indexes, and does not mind.

CREATE INDEX job_common_newest ON paydesk_jobs.job_common (created_on DESC, id DESC);
CREATE INDEX job_common_failed ON paydesk_jobs.job_common (name) WHERE state = 'failed';

-- For the metrics: payments without an outcome, and those that a person has to look at. All others are settled, and not in it.
CREATE INDEX payments_unsettled ON payments (state, created_at) WHERE state IN ('created', 'sending', 'unknown', 'needs_review');
