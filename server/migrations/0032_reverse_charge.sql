-- Whether the buyer owes the tax in place of the seller, as it was when the invoice was issued; its documents say so.
ALTER TABLE invoices ADD COLUMN reverse_charge boolean NOT NULL DEFAULT false;
