import type { Static } from 'typebox';
import { timestamp } from '../platform/http/schema/fields.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { Type } from '../platform/http/schema/type.ts';
import { numberText, text } from '../platform/http/schema/validation.ts';

const ADDRESS_EXAMPLE = ['4th Floor, 221 Harbour Street', 'Bristol BS1 4XX', 'United Kingdom'];

/** All optional; absent fields keep their values. */
export const SellerBody = namedObject('SellerBody', {
  name: Type.Optional(text({ description: 'As it appears on the invoices.', examples: ['Northwind Interfaces Ltd'] })),
  addressLines: Type.Optional(
    Type.Array(text({ required: true }), {
      maxItems: 6,
      description: 'The postal address, as it is written on a letter.',
      examples: [ADDRESS_EXAMPLE],
    }),
  ),
  taxId: Type.Optional(numberText({ examples: ['GB 987 6543 21'] })),
  email: Type.Optional(
    text({ description: 'Where customers send questions.', examples: ['billing@northwind.example'] }),
  ),
  footerText: Type.Optional(
    text({
      max: 2_000,
      description: 'Printed at the end of each invoice on which something is due, with its line breaks: how to pay.',
      examples: ['Payable within 14 days. IBAN GB33 BUKB 2020 1555 5555 55.'],
    }),
  ),
  legalNote: Type.Optional(
    text({
      max: 2_000,
      description:
        'Printed at the end of each invoice and credit note, with its line breaks: the register, the directors.',
      examples: ['Registered in England and Wales, number 01234567'],
    }),
  ),
});
export type SellerBody = Static<typeof SellerBody>;

export const Seller = namedObject('Seller', {
  name: Type.String({ description: 'Empty until it is set.', examples: ['Northwind Interfaces Ltd'] }),
  addressLines: Type.Array(Type.String(), { examples: [ADDRESS_EXAMPLE] }),
  taxId: Type.String({ examples: ['GB 987 6543 21'] }),
  email: Type.String({ examples: ['billing@northwind.example'] }),
  footerText: Type.String({ examples: ['Payable within 14 days. IBAN GB33 BUKB 2020 1555 5555 55.'] }),
  legalNote: Type.String({ examples: ['Registered in England and Wales, number 01234567'] }),
  updatedAt: timestamp(),
});
export type Seller = Static<typeof Seller>;
