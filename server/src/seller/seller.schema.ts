import type { Static } from 'typebox';
import { timestamp } from '../platform/http/schema/fields.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { Type } from '../platform/http/schema/type.ts';
import { numberText, text } from '../platform/http/schema/validation.ts';

const ADDRESS_EXAMPLE = ['4th Floor, 221 Harbour Street', 'Bristol BS1 4XX', 'United Kingdom'];

/** All optional; absent fields keep their values. */
export const SellerBody = namedObject('SellerBody', {
  name: Type.Optional(
    text({ description: 'The name of the seller, as the documents show it.', examples: ['Northwind Interfaces Ltd'] }),
  ),
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
      description:
        'The text at the end of each invoice on which something is due. Use it to say how to pay. Line ' +
        'breaks are kept.',
      examples: ['Payable within 14 days. IBAN GB33 BUKB 2020 1555 5555 55.'],
    }),
  ),
  legalNote: Type.Optional(
    text({
      max: 2_000,
      description:
        'The text at the end of each invoice and credit note. Use it for the register and the directors. Line breaks ' +
        'are kept.',
      examples: ['Registered in England and Wales, number 01234567'],
    }),
  ),
});
export type SellerBody = Static<typeof SellerBody>;

export const Seller = namedObject('Seller', {
  name: Type.String({
    description: 'The name of the seller. Empty until it is set.',
    examples: ['Northwind Interfaces Ltd'],
  }),
  addressLines: Type.Array(Type.String(), { examples: [ADDRESS_EXAMPLE] }),
  taxId: Type.String({ examples: ['GB 987 6543 21'] }),
  email: Type.String({ examples: ['billing@northwind.example'] }),
  footerText: Type.String({ examples: ['Payable within 14 days. IBAN GB33 BUKB 2020 1555 5555 55.'] }),
  legalNote: Type.String({ examples: ['Registered in England and Wales, number 01234567'] }),
  updatedAt: timestamp(),
});
export type Seller = Static<typeof Seller>;
