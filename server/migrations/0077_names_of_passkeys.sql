-- The name of a passkey says whose it is: a deleted account loses it in the audit log too. The target is the passkey then, and the actor
-- its user, for whom nobody else registers, renames or deletes a passkey.
CREATE OR REPLACE FUNCTION forget_audit_person(company uuid, person uuid, email text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE audit_entries SET persons = persons - 'actor'
  WHERE company_id = company AND actor = person::text AND persons ? 'actor';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND target = person::text AND persons ? 'target';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND actor = person::text AND action LIKE 'passkey.%' AND persons ? 'target';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND persons ? 'target'
    AND lower((persons ->> 'target')::json ->> 'name') = lower(email);
$$;
