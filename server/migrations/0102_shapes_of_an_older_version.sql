-- Processes of the version that used these are stopped by now: every version since writes the JSON of its answers itself, and an alert's
-- event with the alert.
DROP TRIGGER alerts_recorded ON alerts;
DROP FUNCTION record_alert();
DROP FUNCTION alert_json(alerts);
DROP FUNCTION billing_information_json(billing_information, cards);
DROP FUNCTION buyer_snapshot(uuid);
DROP FUNCTION dispute_json(disputes);
DROP FUNCTION seller_snapshot();
