-- How a company pays what billing runs issue: what it chose, or what its default is.

ALTER TABLE companies ADD COLUMN payment_method text NOT NULL DEFAULT 'default' CHECK (payment_method IN ('default', 'Card', 'paypal'));

-- The method of the next invoice of usage. By default that of the default card or else of the default PayPal account; without either,
-- PayPal only where nothing else could be charged.
CREATE FUNCTION invoice_method(of_company_id uuid) RETURNS text LANGUAGE sql STABLE
  RETURN (
    SELECT CASE
      WHEN payment_method <> 'default' THEN payment_method
      WHEN EXISTS (
        SELECT FROM cards WHERE cards.company_id = companies.id AND is_default AND deleted_at IS NULL
      ) THEN 'Card'
      WHEN EXISTS (
        SELECT FROM paypal_accounts AS accounts WHERE accounts.company_id = companies.id AND is_default AND deleted_at IS NULL
      ) THEN 'paypal'
      WHEN (SELECT id FROM source_to_charge(companies.id, 'Card')) IS NULL
        AND (SELECT id FROM source_to_charge(companies.id, 'paypal')) IS NOT NULL THEN 'paypal'
      ELSE 'Card'
    END
    FROM companies WHERE companies.id = of_company_id
  );
