-- What stands on every document of the seller, such as the register and the directors. The footer says how to pay, on what is due.
ALTER TABLE seller ADD COLUMN legal_note text NOT NULL DEFAULT '';

CREATE OR REPLACE FUNCTION seller_snapshot() RETURNS json
  LANGUAGE sql STABLE
  RETURN (
    SELECT json_build_object('name', name, 'addressLines', address_lines, 'taxId', tax_id, 'email', email, 'footerText', footer_text,
                             'legalNote', legal_note)
    FROM seller
  );
