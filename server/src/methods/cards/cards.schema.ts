import type { Static } from 'typebox';
import { Address } from '../../customers/addresses/addresses.schema.ts';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { cardFields } from '../card-fields/card-fields.schema.ts';

const { expMonth } = cardFields;
/** Of mandates, which do not expire. */
export const NO_EXPIRY = { expMonth: 12, expYear: 9_999 };
const isDefault = (absent: string) =>
  Type.Optional(
    Type.Boolean({ description: `True makes this card the default, which is charged. ${absent}`, examples: [true] }),
  );

const createFields = {
  isDefault: isDefault('False when absent.'),
  addressId: text({
    required: true,
    description: 'The id of a saved address.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
  setupId: Type.Optional(
    text({
      required: true,
      description:
        'The id of a confirmed setup (`POST /payments/card-setups`). Exactly one of `info`, `setupId` and `paymentMethod` is given.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41'],
    }),
  ),
  paymentMethod: Type.Optional(
    text({
      required: true,
      description: 'The id of a card at the gateway (`pm_…` at Stripe) that is the company’s there, or nobody’s.',
      examples: ['pm_1Abc'],
    }),
  ),
};

export const CreateCardBody = namedObject(
  'CreateCardBody',
  { ...createFields, info: Type.Optional(Type.Object(cardFields)) },
  {
    'x-documented': { oneOf: [{ required: ['info'] }, { required: ['setupId'] }, { required: ['paymentMethod'] }] },
    examples: [
      {
        isDefault: true,
        addressId: '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40',
        info: {
          cardName: 'Ada Lovelace',
          cardNumber: '4242 4242 4242 4242',
          expMonth: 12,
          expYear: 2030,
          cvv: '123',
          country: 'GB',
        },
      },
    ],
  },
);
export type CreateCardBody = Static<typeof CreateCardBody>;

/** The same where numbers are refused, whatever they are. */
export const CreateCardWithoutNumberBody = namedObject('CreateCardWithoutNumberBody', {
  ...createFields,
  info: Type.Optional(
    Type.Object({ cardNumber: Type.Optional(Type.Unsafe<unknown>({})), cvv: Type.Optional(Type.Unsafe<unknown>({})) }),
  ),
});
export type CreateCardWithoutNumberBody = Static<typeof CreateCardWithoutNumberBody>;

export const UpdateCardBody = namedObject('UpdateCardBody', {
  isDefault: isDefault('Unchanged when absent.'),
  info: Type.Object({
    expMonth,
    expYear: Type.Integer({
      minimum: 0,
      maximum: NO_EXPIRY.expYear,
      description: 'As when a card is saved. Of a mandate, both are ignored.',
      examples: [2030],
    }),
  }),
});
export type UpdateCardBody = Static<typeof UpdateCardBody>;

const shownFields = {
  id: uuid(),
  ...companyIds,
  addressId: uuid('The id of an address.'),
  method: Type.String({ description: '`Card`, or `sepa_debit`: a mandate for direct debits.', examples: ['Card'] }),
  isDefault: Type.Boolean({ examples: [true] }),
  info: namedObject('CardInfo', {
    country: Type.String({ examples: ['GB'] }),
    expMonth: Type.Integer({ examples: [12] }),
    expYear: Type.Integer({ examples: [2030] }),
    cardName: Type.String({ examples: ['Ada Lovelace'] }),
    cardNumber: Type.String({
      description:
        'The first four digits, asterisks, and the last four digits. Of a card that the gateway took in its own fields, asterisks ' +
        'and the last four digits. Of a mandate, the country of the IBAN, asterisks and its last four characters.',
      examples: ['4242********4242'],
    }),
    brand: Type.String({ examples: ['visa'] }),
  }),
  mandate: named(
    'CardMandate',
    Type.Union(
      [
        Type.Object({
          reference: Type.String({
            description: 'Names the mandate on the account statements of its holder.',
            examples: ['9QKQ7BZXK1MZQ3VX'],
          }),
          acceptedAt: timestamp(),
        }),
        Type.Null(),
      ],
      { description: 'By which the holder of an account allows debits; null for cards.' },
    ),
  ),
  metadata: Type.Unsafe<object>({ type: 'object', additionalProperties: true, examples: [{}] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

export const Card = namedObject('Card', shownFields);
export type Card = Static<typeof Card>;

export const CardWithAddress = namedObject('CardWithAddress', { ...shownFields, address: Address });
export type CardWithAddress = Static<typeof CardWithAddress>;

export const CardWithAddressList = named('CardList', Type.Array(CardWithAddress));
