-- The customers of companies at gateways carry the name and the e-mail of the company, and follow what is changed here.
ALTER TABLE gateway_customers ADD COLUMN describe_at timestamptz(3) DEFAULT now();
ALTER TABLE gateway_customers ADD COLUMN changed_at timestamptz(3) NOT NULL DEFAULT now();
CREATE INDEX gateway_customers_to_describe ON gateway_customers (describe_at) WHERE describe_at IS NOT NULL;

CREATE FUNCTION describe_gateway_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE gateway_customers SET describe_at = now(), changed_at = now()
  WHERE company_id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION describe_gateway_customer() IS 'Has the name and the e-mail of a company written to its customers at gateways again.';

CREATE TRIGGER billing_information_described AFTER UPDATE ON billing_information FOR EACH ROW
WHEN ((new.organization, new.first_name, new.last_name) IS DISTINCT FROM (old.organization, old.first_name, old.last_name))
EXECUTE FUNCTION describe_gateway_customer('company_id');
CREATE TRIGGER companies_described AFTER UPDATE ON companies FOR EACH ROW
WHEN (new.external_id IS DISTINCT FROM old.external_id)
EXECUTE FUNCTION describe_gateway_customer('id');
CREATE TRIGGER users_described AFTER UPDATE ON users FOR EACH ROW
WHEN (new.company_id IS NOT NULL AND (new.email, new.company_id, new.role, new.role_id, new.disabled_at, new.deleted_at)
  IS DISTINCT FROM (old.email, old.company_id, old.role, old.role_id, old.disabled_at, old.deleted_at))
EXECUTE FUNCTION describe_gateway_customer('company_id');
CREATE TRIGGER users_described_new AFTER INSERT ON users FOR EACH ROW WHEN (new.company_id IS NOT NULL)
EXECUTE FUNCTION describe_gateway_customer('company_id');
CREATE TRIGGER roles_described AFTER UPDATE ON roles FOR EACH ROW WHEN (new.permission IS DISTINCT FROM old.permission)
EXECUTE FUNCTION describe_gateway_customer('company_id');
