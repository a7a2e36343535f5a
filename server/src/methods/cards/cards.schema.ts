import type { Static } from 'typebox';
import { Address } from '../../customers/addresses/addresses.schema.ts';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText, text } from '../../platform/http/schema/validation.ts';
import { checkCardNumber, checkCardText, checkSecurityCode } from './cards.number.ts';

const expMonth = Type.Integer({ minimum: 1, maximum: 12, examples: [12] });
const expYear = Type.Integer({
  minimum: 0,
  maximum: 2_099,
  description: 'Four digits, or two that mean 20xx. A card past its last month is refused.',
  examples: [2030],
});
const isDefault = (absent: string) =>
  Type.Optional(
    Type.Boolean({ description: `Makes this the card that is charged by default. ${absent}`, examples: [true] }),
  );

export const CreateCardBody = namedObject('CreateCardBody', {
  isDefault: isDefault('False when absent.'),
  addressId: text({
    required: true,
    description: 'The id of a saved address.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
  info: Type.Object({
    cardName: text({
      required: true,
      rule: checkCardText,
      cardNumbers: 'allowed',
      description: 'The name on the card; never its number.',
      examples: ['Ada Lovelace'],
    }),
    cardNumber: secretText({
      rule: checkCardNumber,
      description:
        '12 to 19 digits; spaces and dashes are dropped. Goes to the gateway, is never kept, and is returned masked.',
      examples: ['4242 4242 4242 4242'],
    }),
    expMonth,
    expYear,
    cvv: secretText({
      rule: checkSecurityCode,
      description: '3 or 4 digits. Never kept, never returned.',
      examples: ['123'],
    }),
    country: text({ required: true, rule: checkCardText, cardNumbers: 'allowed', examples: ['GB'] }),
  }),
});
export type CreateCardBody = Static<typeof CreateCardBody>;

export const UpdateCardBody = namedObject('UpdateCardBody', {
  isDefault: isDefault('Unchanged when absent.'),
  info: Type.Object({ expMonth, expYear }),
});
export type UpdateCardBody = Static<typeof UpdateCardBody>;

const cardFields = {
  id: uuid(),
  ...companyIds,
  addressId: uuid('The id of an address.'),
  method: Type.String({ examples: ['Card'] }),
  isDefault: Type.Boolean({ examples: [true] }),
  info: namedObject('CardInfo', {
    country: Type.String({ examples: ['GB'] }),
    expMonth: Type.Integer({ examples: [12] }),
    expYear: Type.Integer({ examples: [2030] }),
    cardName: Type.String({ examples: ['Ada Lovelace'] }),
    cardNumber: Type.String({
      description: 'First four digits, asterisks, last four digits.',
      examples: ['4242********4242'],
    }),
    brand: Type.String({ examples: ['visa'] }),
  }),
  metadata: Type.Unsafe<object>({ type: 'object', additionalProperties: true, examples: [{}] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

export const Card = namedObject('Card', cardFields);
export type Card = Static<typeof Card>;

export const CardWithAddress = namedObject('CardWithAddress', { ...cardFields, address: Address });
export type CardWithAddress = Static<typeof CardWithAddress>;

export const CardWithAddressList = named('CardList', Type.Array(CardWithAddress));
