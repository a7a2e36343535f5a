-- A delivery's attempts are found by its event: of an endpoint with many deliveries all attempts were read for each.
CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (company_id, endpoint_id, event, id);
DROP INDEX webhook_attempts_of_endpoint;
