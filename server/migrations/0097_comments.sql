-- What each table and each function is for. server/schema.sql shows it, and a test asks for it.
COMMENT ON TABLE addresses IS 'Billing addresses of cards; with deleted_at no longer listed, but still shown by their cards.';
COMMENT ON TABLE alerts IS
  'What a person has to look at (the nil UUID for what concerns no company), written with its event for the operator; only '
  'acknowledged_at ever changes.';
COMMENT ON TABLE api_keys IS 'SHA-256 of an API key of the company, what it grants, and who created it.';
COMMENT ON TABLE asked_charges IS
  'Charges that a person asked for, and cards that were refused while they were saved: what the limits against card testing count; '
  'kept two hours.';
COMMENT ON TABLE audit_entries IS 'The chains of the audit log; the service’s role can only read them.';
COMMENT ON TABLE audit_heads IS 'How many entries each chain has, and its last hash.';
COMMENT ON TABLE audit_pending IS 'Entries of the audit log that no chain has yet; append-only; a function of the owner moves them.';
COMMENT ON TABLE billed_periods IS
  'The periods that a company was billed for, with or without an invoice, and the data for computing the invoice again; append-only.';
COMMENT ON TABLE billing_information IS 'What invoices say about the buyer; one for each company.';
COMMENT ON TABLE billing_information_changes IS 'The operator’s corrections, with the values before and after; append-only.';
COMMENT ON TABLE billing_preview_invoices IS 'The invoices of a preview; deleted with it.';
COMMENT ON TABLE billing_previews IS 'What a run would issue; deleted after a week.';
COMMENT ON TABLE billing_runs IS 'One for each month: status, progress, and the time, cutoff and lease of its last pass.';
COMMENT ON TABLE cards IS
  'Cards of companies: the gateway’s token, eight visible digits, a keyed fingerprint; detach_at is when the worker next tries to '
  'delete a deleted card at the gateway, null once it is deleted there (paypal_accounts likewise); a partial unique index allows one '
  'default.';
COMMENT ON TABLE charges_holds IS 'Holds of all charges; one without an end is in force.';
COMMENT ON TABLE collections IS
  'What the collection does next, and whether the invoice waits for a release; created and woken by triggers.';
COMMENT ON TABLE companies IS 'The tenant, with its billing settings.';
COMMENT ON TABLE credit_balances IS 'The sum of the entries; only a trigger writes it.';
COMMENT ON TABLE credit_entries IS 'The ledger of the credit; append-only.';
COMMENT ON TABLE credit_notes IS
  'Corrections of invoices; append-only; their sum is credited_total of the invoice, which the database keeps within its total.';
COMMENT ON TABLE dispute_movements IS 'Money withdrawn and reinstated, lost and recovered; append-only.';
COMMENT ON TABLE disputes IS 'Disputes of payments; only the trigger of the movements writes withdrawn_minor, here and on payments.';
COMMENT ON TABLE email_reverts IS 'The ways back to the e-mail addresses that users had before a change, 72 hours.';
COMMENT ON TABLE email_tokens IS 'The SHA-256 of the token in a link of a mail, and what it stands for.';
COMMENT ON TABLE events IS
  'What happened, as webhooks tell it; append-only; a function of the owner deletes what is older than 90 days; the nil UUID stands '
  'for no company.';
COMMENT ON TABLE gateway_comparisons IS 'When each gateway was last compared with the database.';
COMMENT ON TABLE gateway_customers IS 'A company’s id at a gateway.';
COMMENT ON TABLE gateway_notices IS
  'Gateway events that were received, so that each takes effect once, and what is to be done after a hold; kept 30 days.';
COMMENT ON TABLE idempotency_keys IS 'An HMAC of the request, and the answer; kept 24 hours.';
COMMENT ON TABLE installation IS
  'One row: the id of this installation, which objects at gateways carry, and which keys the database was used with.';
COMMENT ON TABLE invitations IS
  'Who may join a company, one for each e-mail, with the SHA-256 of the token in the link; deleted when it is accepted.';
COMMENT ON TABLE invoice_counts IS 'Exact totals of invoices by status and method, without counting.';
COMMENT ON TABLE invoices IS
  'Invoices, of which only status, payment, credit, credited_total and voided_at ever change; they contain the seller and buyer as '
  'they were at the issue.';
COMMENT ON TABLE items IS 'One-off items, which the next invoice takes; only the invoice is ever set, once.';
COMMENT ON TABLE journal_writers IS 'The processes that appended to the journals, and from when until when each did so for this database.';
COMMENT ON TABLE journals IS 'The journals that machines keep for this database, and the last entry of each.';
COMMENT ON TABLE known_networks IS 'The networks that a user has logged in from, as keyed hashes.';
COMMENT ON TABLE label_assignment_counts IS 'How many records of each type have a label.';
COMMENT ON TABLE label_assignments IS 'The labels of agents, tickets and customers; deleted with their label.';
COMMENT ON TABLE label_counts IS 'Exact totals of labels, without counting.';
COMMENT ON TABLE labels IS 'The name is unique without case (fold_case); sorted by ICU’s root collation.';
COMMENT ON TABLE ledger_balances IS
  'The sums of all postings before an hour, so that a balance is read from the newest hour on; a trigger deletes sums that an older '
  'posting makes wrong.';
COMMENT ON TABLE ledger_postings IS 'The double-entry ledger; only triggers write it, and the postings of each statement add up to zero.';
COMMENT ON TABLE login_failures IS 'Failed logins, with e-mails as hashes; kept 15 minutes.';
COMMENT ON TABLE login_locks IS 'Who is locked out after failed logins, and how often before.';
COMMENT ON TABLE lost_numbers IS
  'Numbers of documents that a restored database lacks and that nothing can write again, with what is known of them.';
COMMENT ON TABLE mail_counts IS 'When an address got mails of a type within the last hour; the address is a keyed hash.';
COMMENT ON TABLE mails IS
  'A mail on its way to a user, or kept; the nil UUID stands for no company; the content is encrypted, and deleted once a mail with a '
  'link has ended.';
COMMENT ON TABLE marks IS
  'One for each charge, refund and document, written in its transaction; a journal outside of the database has the same.';
COMMENT ON TABLE missing_marks IS 'All marks that journals have and the database lacks; the end of the hold moves them to marks.';
COMMENT ON TABLE network_counts IS 'Sign-ups and logins of a network within the last hour.';
COMMENT ON TABLE number_series IS
  'The last number of each series; a transaction that takes numbers locks the row until its commit, so that there is no gap.';
COMMENT ON TABLE numbering IS 'One row: the settings of the numbers of invoices and credit notes.';
COMMENT ON TABLE operator_keys IS 'The operator’s keys: SHA-256, name, role, how it begins, last use, expiry; one is the first.';
COMMENT ON TABLE passkey_challenges IS 'Challenges that a passkey has to sign, as SHA-256; kept five minutes.';
COMMENT ON TABLE passkeys IS 'Public keys of WebAuthn credentials, with their counter and whether they are backed up.';
COMMENT ON TABLE payments IS
  'Attempts to charge a card or a PayPal account; unique indexes allow one payment that is not failed for each invoice, and one '
  'payment for each gateway object.';
COMMENT ON TABLE paypal_accounts IS
  'PayPal accounts: the gateway’s token and the e-mail; at most one default; one row for each account of a company.';
COMMENT ON TABLE prices IS
  'Versions of prices; scope is the company, or the nil UUID for general prices; the service may change only the end of a price, or '
  'delete one.';
COMMENT ON TABLE processes IS 'The running processes, with the time at which each was last seen, and its journal.';
COMMENT ON TABLE recovery_cases IS 'What a gateway or a journal has and the database lacked during a hold, and what was done about it.';
COMMENT ON TABLE recovery_codes IS 'The SHA-256 of the recovery codes that are left.';
COMMENT ON TABLE refunds IS
  'Refunds of payments; triggers keep their sum within what the payment took less what disputes withdrew, and keep ended refunds '
  'unchanged.';
COMMENT ON TABLE roles IS 'The roles that companies define; those of the system are code (server/src/platform/permissions.ts).';
COMMENT ON TABLE row_counts IS 'Exact totals of payments, refunds and credit notes of all companies; written last in a transaction.';
COMMENT ON TABLE schema_migrations IS 'The migrations that were applied, with their checksums.';
COMMENT ON TABLE second_factor_tokens IS 'Logins that wait for a second factor; kept five minutes.';
COMMENT ON TABLE seller IS 'One row: who issues the invoices.';
COMMENT ON TABLE sessions IS
  'One behind every access token; hashes of the current refresh token, the one before and their family; where it was last used from.';
COMMENT ON TABLE sign_in_links IS 'Which account a user of a provider has.';
COMMENT ON TABLE sign_in_providers IS 'The providers of single sign-on that the operator has set up, with their secrets encrypted.';
COMMENT ON TABLE staff_invitations IS 'The open invitations to the operator’s staff, with the SHA-256 of the link’s token.';
COMMENT ON TABLE totp_secrets IS 'The secret of an authenticator app, encrypted, and the time step of its last code.';
COMMENT ON TABLE unallocated_captures IS
  'Captures that no invoice here gets after the database went back, with the refund of what is left; triggers post both, and reverse '
  'them if a company gets the capture later.';
COMMENT ON TABLE unallocated_refunds IS 'What the gateway had refunded of an unallocated capture before; a trigger posts it.';
COMMENT ON TABLE usage_cutoffs IS 'Numbers that say what an invoice has counted; a unique index allows one open cutoff.';
COMMENT ON TABLE usage_days IS 'Sums by UTC day.';
COMMENT ON TABLE usage_deltas IS 'Sums that wait for the rollup.';
COMMENT ON TABLE usage_event_keys IS 'The digest of each stored event; append-only, no foreign key.';
COMMENT ON TABLE usage_events IS 'The events; append-only, no foreign key, one partition for each month, kept for years.';
COMMENT ON TABLE usage_hours IS 'Sums by hour, in quarters.';
COMMENT ON TABLE usage_retention IS 'One row: until when usage events were deleted; older ones are refused.';
COMMENT ON TABLE usage_taken IS
  'What the invoices of a billed period took for its usage, once one of them was written again after the database went back.';
COMMENT ON TABLE usage_threshold_checks IS 'Companies whose usage must be compared with their thresholds; written by the rollup.';
COMMENT ON TABLE usage_threshold_crossings IS 'Thresholds that were reached, once for each period; append-only.';
COMMENT ON TABLE usage_thresholds IS 'Quantities of usage that a company wants to be told of; added and removed, never changed.';
COMMENT ON TABLE used_sign_in_states IS 'The SHA-256 of the states of sign-ins that were used; kept ten minutes.';
COMMENT ON TABLE users IS
  'A person with an account, with one of the system’s roles (role) or of the company’s (role_id); a customer has no company.';
COMMENT ON TABLE webhook_attempts IS 'Each attempt of a delivery.';
COMMENT ON TABLE webhook_deliveries IS 'An event on its way to an endpoint; each row is its own job.';
COMMENT ON TABLE webhook_endpoints IS 'Where events are sent; the nil UUID stands for the operator; secrets are encrypted.';

COMMENT ON FUNCTION alert_json IS 'A shape that a process of an older version uses until it is stopped.';
COMMENT ON FUNCTION begin_collections IS 'Creates the collection of each new invoice.';
COMMENT ON FUNCTION billing_information_json IS 'A shape that a process of an older version uses until it is stopped.';
COMMENT ON FUNCTION buyer_snapshot IS 'A shape that a process of an older version uses until it is stopped.';
COMMENT ON FUNCTION chain_audit_entries IS 'Moves committed entries of a company to the end of its chain, with their numbers and hashes.';
COMMENT ON FUNCTION check_ledger_entries IS 'Refuses a statement whose postings do not add up to zero for each entry and currency.';
COMMENT ON FUNCTION close_ledger_hour IS 'Sums the postings of one more hour into ledger_balances.';
COMMENT ON FUNCTION collects_automatically IS 'Whether the collection charges invoices of a method.';
COMMENT ON FUNCTION count_invoices IS 'Counts a company’s invoices by status and method.';
COMMENT ON FUNCTION count_label_assignments IS
  'Counts the records of each label by type, and changes a number of the company whenever that changes.';
COMMENT ON FUNCTION count_labels IS 'Counts a company’s labels, and changes a number whenever they change.';
COMMENT ON FUNCTION count_row IS 'At the commit: counts the rows of all companies.';
COMMENT ON FUNCTION create_usage_partitions IS 'Creates the partitions of this month and the next two.';
COMMENT ON FUNCTION debt_of IS 'The name of an invoice’s debt; computed for invoices that are older than the column.';
COMMENT ON FUNCTION dispute_json IS 'A shape that a process of an older version uses until it is stopped.';
COMMENT ON FUNCTION fold_case IS
  'A name without case, by Unicode’s full case folding: ß equals ss, and ı, i, I and İ are one letter; texts are not normalized, and '
  'accents and width matter.';
COMMENT ON FUNCTION forget_audit_person IS 'Empties what a company’s entries have about a person.';
COMMENT ON FUNCTION forget_user_events IS 'Empties the personal data in the events about a user who is deleted.';
COMMENT ON FUNCTION invoice_method IS 'The method of the company’s next invoice.';
COMMENT ON FUNCTION iso_instant IS 'An instant as the API shows it.';
COMMENT ON FUNCTION keep_credit_balance IS
  'As the owner: updates the company’s balance, and refuses an entry that does not follow the last one or returns credit that its '
  'payment did not take.';
COMMENT ON FUNCTION keep_dispute_losses IS 'Writes the movement lost or recovered when a dispute ends or money moves after its end.';
COMMENT ON FUNCTION keep_ended_refund IS 'Refuses a change of a refund that has ended.';
COMMENT ON FUNCTION keep_refunds_within_payment IS
  'Locks the payment, and refuses a refund of more than it took less what disputes withdrew; of a payment under review, a second '
  'refund.';
COMMENT ON FUNCTION mask_card_number IS 'A card number with eight visible digits.';
COMMENT ON FUNCTION minor_units IS 'An amount in minor units.';
COMMENT ON FUNCTION money_text IS 'An amount as the API shows it.';
COMMENT ON FUNCTION note_asked_charge IS 'Records what the limits against card testing count, when a charge that a person asked for ends.';
COMMENT ON FUNCTION post_capture IS
  'Posts the money that a gateway took, when a payment becomes captured or is inserted as captured; what was more than due as credit.';
COMMENT ON FUNCTION post_credit_entry IS
  'Posts granted or used credit; a refund and a capture of more than was due post their credit themselves.';
COMMENT ON FUNCTION post_credit_note IS 'Posts the amount of a credit note: against what is owed, or against what was paid.';
COMMENT ON FUNCTION post_dispute_movement IS
  'Posts the money that a dispute moved, and updates withdrawn_minor of the dispute and its payment.';
COMMENT ON FUNCTION post_earlier_unallocated_refund IS 'Posts what the gateway had refunded of a capture that no invoice here gets.';
COMMENT ON FUNCTION post_invoices IS 'Posts the amount of each invoice, with one statement for all invoices issued together.';
COMMENT ON FUNCTION post_refund IS
  'Posts a succeeded refund, refuses one whose credit has changed, and adds it to the invoice’s refunded_total.';
COMMENT ON FUNCTION post_returned_capture IS 'Posts a capture that a review refunds, and its refund.';
COMMENT ON FUNCTION post_unallocated_capture IS 'Posts a capture that no invoice here gets, for no company.';
COMMENT ON FUNCTION post_unallocated_refund IS 'Posts the refund of a capture that no invoice here gets.';
COMMENT ON FUNCTION post_void IS 'Posts the opposite of the voided invoice’s postings.';
COMMENT ON FUNCTION record_alert IS 'Records the event of an alert that a process of an older version inserted.';
COMMENT ON FUNCTION refuse_change_of_invoiced_item IS 'Refuses a change of an item that is on an invoice.';
COMMENT ON FUNCTION remove_closed_collections IS 'Deletes collections that were closed a year ago.';
COMMENT ON FUNCTION remove_old_alerts IS 'Deletes alerts that were acknowledged two years ago.';
COMMENT ON FUNCTION remove_old_events IS 'Deletes events older than 90 days.';
COMMENT ON FUNCTION remove_old_usage IS
  'Deletes usage events of a month older than the retention, with their keys, and finally the month’s partition.';
COMMENT ON FUNCTION reopen_ledger_hours IS 'Deletes the balances that an older posting makes wrong.';
COMMENT ON FUNCTION reverse_unallocated_capture IS
  'Posts the opposite of an unallocated capture and its refund, when a company gets the capture.';
COMMENT ON FUNCTION seller_snapshot IS 'A shape that a process of an older version uses until it is stopped.';
COMMENT ON FUNCTION source_to_charge IS
  'The card or account that a charge of a company uses, with its gateway: the default one, or else the only one.';
COMMENT ON FUNCTION usage_within IS 'The part of an hour within a period that begins and ends on a quarter of an hour.';
COMMENT ON FUNCTION wake_collection_by_payment IS 'Makes a collection due when its payment ends.';
COMMENT ON FUNCTION wake_collections_by_setting IS 'Makes waiting collections due when the company’s setting is no longer manual.';
COMMENT ON FUNCTION wake_collections_by_source IS 'Makes collections due that wait for another card or account, and updates their gateway.';
