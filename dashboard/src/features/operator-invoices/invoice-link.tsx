import { Link } from '@tanstack/react-router';

/** The invoice of a record, as a link to its page in the console. */
export function InvoiceLink({ invoiceId, number }: { invoiceId: string; number: string }) {
  return (
    <Link to="/console/invoices/$invoiceId" params={{ invoiceId }}>
      {number}
    </Link>
  );
}
