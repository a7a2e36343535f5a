import { expect, it } from 'vitest';
import { describeInvoice } from './stripe.descriptions.ts';

it('a payment by card names its invoice, and its statement the last characters of the number that fit', () => {
  const names = (number: string, suffix?: string) =>
    expect(describeInvoice(number, { isDebit: false })).toEqual({
      description: `Invoice ${number}`,
      ...(suffix === undefined ? {} : { statement_descriptor_suffix: suffix }),
    });
  names('INV-000001', 'INV-000001');
  names('ACME-INV-B-000042', 'V-B-000042');
  names('R*"<É>-7', 'R-7');
  // Stripe refuses a suffix without a letter.
  names('2026-0000000001');
  expect(describeInvoice(undefined, { isDebit: false })).toEqual({});
});
