/** Who an invoice is from, as it was when the invoice was issued. Unset text is empty. */
export type Seller = {
  name: string;
  addressLines: string[];
  taxId: string;
  email: string;
  footerText: string;
  /** Absent on what was issued before there was one. */
  legalNote?: string;
};

/** Who an invoice is made out to, as it was when the invoice was issued. Unset text is empty. */
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
  /** What the payment took; null until paid. */
  paidAmount: string | null;
  /** The zone that the period was billed in. */
  timezone: string;
  seller: Seller;
  buyer: Buyer;
  reverseCharge: boolean;
  lines: InvoiceDocumentLine[];
  currency: string;
  /** How many decimals the currency's minor unit had when the invoice was issued. */
  minorUnitDigits: number;
  /** Percent; null when there are several. */
  taxRate: string | null;
  /** By rate, when there are several; else null. */
  taxes: { rate: string; net: string; tax: string }[] | null;
  subTotal: string;
  tax: string;
  total: string;
  /** What in-store credit paid of it. */
  creditApplied: string;
  creditNotes: CreditNoteOnInvoice[];
  /** What is left to pay. */
  amountDue: string;
};

export type InvoiceDocumentLine = {
  title: string;
  path: string;
  totalRequest: string;
  amount: string;
  /** Of lines that a billing run made: see the Invoice's `details`. */
  kind: string | null;
  /** Percent; null where the line does not say. */
  taxRate: string | null;
  /** What one costs of an item, whose quantity is its `totalRequest`; null for other lines. */
  unitAmount: string | null;
  /** What the version of the price says that the line was made by; null without one. */
  price: {
    model: string;
    freeRequests: string;
    unitAmount: string | null;
    packageAmount: string | null;
    packageSize: string | null;
  } | null;
};

/** `afterPayment`: it took nothing off what was to be paid, because that had been paid. */
export type CreditNoteOnInvoice = { number: string; issuedAt: Date; total: string; afterPayment: boolean };

/** A credit note with what its PDF shows of the invoice that it corrects. Amounts are decimals in major units. */
export type CreditNoteDocument = {
  number: string;
  issuedAt: Date;
  reason: string;
  /** Empty when an amount was credited. */
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
