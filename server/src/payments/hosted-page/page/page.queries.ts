import { amountDue } from '../../../billing/invoices/record/state.parts.queries.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { FailureReason, PaymentState } from '../../payment/payment.ts';

/** What the hosted page shows of an invoice. Amounts are decimals in major units. */
export type InvoiceOnPage = {
  number: string;
  method: string;
  status: 'Processing' | 'Succeeded' | 'Failed';
  issuedAt: Date;
  dueAt: Date;
  startAt: Date;
  endAt: Date;
  voidedAt: Date | null;
  /** When the payment that completed it was captured; null until then. */
  paidAt: Date | null;
  timezone: string;
  /** Empty where no seller was set. */
  seller: string;
  buyer: string;
  buyerCountry: string;
  currency: string;
  lines: { title: string; quantity: string; amount: string }[];
  subTotal: string;
  tax: string;
  total: string;
  /** What credit notes took off the amount that was due, and what payments of a part have paid; zero for none. */
  credited: string;
  partPaid: string;
  amountDue: string;
  /** The last attempt to pay it; null for none. */
  lastPayment: {
    id: string;
    state: PaymentState;
    failureReason: FailureReason | null;
    declineCode: string | null;
    gateway: string;
    /** While the payment waits for its confirmation. The client secret is for the gateway alone. */
    action: { clientSecret: string; redirectUrl: string | null } | null;
  } | null;
  awaitsRelease: boolean;
};

/** Reads what the hosted page shows; null where the company has no such invoice. */
export async function selectInvoiceOnPage(
  db: Queryable,
  companyId: string,
  invoiceId: string,
): Promise<InvoiceOnPage | null> {
  const [row] = await db<InvoiceOnPage[]>`
    SELECT number, invoices.method, status, invoices.created_at AS "issuedAt", due_at AS "dueAt", start_at AS "startAt", end_at AS "endAt",
           voided_at AS "voidedAt", paid.updated_at AS "paidAt", buyer ->> 'timezone' AS timezone, seller ->> 'name' AS seller,
           coalesce(nullif(buyer ->> 'organization', ''), trim(concat(buyer ->> 'firstName', ' ', buyer ->> 'lastName'))) AS buyer,
           buyer ->> 'country' AS "buyerCountry", invoices.currency,
           (SELECT json_agg(json_build_object('title', line ->> 'title', 'quantity', line ->> 'totalRequest', 'amount', line ->> 'amount')
                            ORDER BY place)
            FROM json_array_elements(details) WITH ORDINALITY AS lines (line, place)) AS lines,
           money_text(sub_total, minor_unit_digits) AS "subTotal", money_text(tax, minor_unit_digits) AS tax,
           money_text(total, minor_unit_digits) AS total, money_text(credited_total, minor_unit_digits) AS credited,
           money_text(part_paid, minor_unit_digits) AS "partPaid", money_text(${amountDue(db)}, minor_unit_digits) AS "amountDue",
           (SELECT json_build_object('id', last.id, 'state', last.state, 'failureReason', last.failure_reason,
                                     'declineCode', last.decline_code, 'gateway', last.gateway, 'action', last.action)
            FROM payments AS last
            WHERE last.company_id = invoices.company_id AND last.invoice_id = invoices.id AND NOT last.is_part
            ORDER BY last.state <> 'failed' DESC, last.created_at DESC, last.id DESC LIMIT 1) AS "lastPayment",
           EXISTS (SELECT FROM collections
                   WHERE collections.company_id = invoices.company_id AND collections.invoice_id = invoices.id AND awaits_release
                  ) AS "awaitsRelease"
    FROM invoices
    LEFT JOIN payments AS paid ON paid.company_id = invoices.company_id AND paid.id = invoices.payment_id
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  return row ?? null;
}

/** The brand and the last four digits of a saved card. */
export async function selectCardOnPage(
  db: Queryable,
  companyId: string,
  cardId: string,
): Promise<{ brand: string; lastFour: string } | null> {
  const [row] = await db<{ brand: string; lastFour: string }[]>`
    SELECT brand, last_four AS "lastFour" FROM cards WHERE company_id = ${companyId} AND id = ${cardId}`;
  return row ?? null;
}
