/** The seller of an invoice when the invoice was issued. Unset text is empty. */
export type Seller = {
  name: string;
  addressLines: string[];
  taxId: string;
  email: string;
  footerText: string;
  /** Absent on documents that were issued before this field existed. */
  legalNote?: string;
};

/** The buyer of an invoice when the invoice was issued. Unset text is empty. */
export type Buyer = {
  organization: string;
  firstName: string;
  lastName: string;
  address: string;
  zipCode: string;
  city: string;
  province: string;
  country: string;
  taxId: string;
  email: string;
};

/** All amounts are decimals in major units. */
export type InvoiceDocument = {
  number: string;
  status: 'Processing' | 'Succeeded' | 'Failed';
  issuedAt: Date;
  dueAt: Date;
  startAt: Date;
  endAt: Date;
  voidedAt: Date | null;
  paidAt: Date | null;
  /** What the payment captured; null until paid. */
  paidAmount: string | null;
  /** The time zone in which the period was billed. */
  timezone: string;
  seller: Seller;
  buyer: Buyer;
  reverseCharge: boolean;
  lines: InvoiceDocumentLine[];
  currency: string;
  /** How many decimals the currency's minor unit had when the invoice was issued. */
  minorUnitDigits: number;
  /** Percent; null if there are several. */
  taxRate: string | null;
  /** By rate, if there are several; otherwise null. */
  taxes: { rate: string; net: string; tax: string }[] | null;
  subTotal: string;
  tax: string;
  total: string;
  /** What in-store credit paid of it. */
  creditApplied: string;
  /** What earlier payments of a part took. */
  partPaid: string;
  creditNotes: CreditNoteOnInvoice[];
  /** What is left to pay. */
  amountDue: string;
};

export type InvoiceDocumentLine = {
  title: string;
  path: string;
  totalRequest: string;
  amount: string;
  /** For lines of a billing run: see the Invoice's `details`. */
  kind: string | null;
  /** Percent; null if the line has none. */
  taxRate: string | null;
  /** The price of one unit of an item, whose quantity is in `totalRequest`; null for other lines. */
  unitAmount: string | null;
  /** The version of the price by which the line was computed; null without one. */
  price: {
    model: string;
    freeRequests: string;
    unitAmount: string | null;
    packageAmount: string | null;
    packageSize: string | null;
  } | null;
};

/** `afterPayment`: it did not reduce the amount to pay, because that was already paid. */
export type CreditNoteOnInvoice = { number: string; issuedAt: Date; total: string; afterPayment: boolean };

/** A credit note with what its PDF shows of the corrected invoice. Amounts are decimals in major units. */
export type CreditNoteDocument = {
  number: string;
  issuedAt: Date;
  reason: string;
  /** Empty if an amount was credited. */
  lines: { title: string; amount: string; taxRate: string | null }[];
  subTotal: string;
  tax: string;
  total: string;
  afterPayment: boolean;
  invoiceNumber: string;
  invoiceIssuedAt: Date;
} & Pick<
  InvoiceDocument,
  | 'startAt'
  | 'endAt'
  | 'timezone'
  | 'seller'
  | 'buyer'
  | 'currency'
  | 'minorUnitDigits'
  | 'taxRate'
  | 'taxes'
  | 'reverseCharge'
>;
