-- A role of operator keys for the backend of the operator's product. Staff do not have it.
ALTER TABLE operator_keys
  DROP CONSTRAINT operator_keys_role_check,
  ADD CHECK (role IN ('viewer', 'finance', 'admin', 'integration'));
