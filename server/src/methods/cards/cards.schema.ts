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
  description: 'Four digits, or two digits that stand for 20xx. A card that has expired is refused.',
  examples: [2030],
});
const isDefault = (absent: string) =>
  Type.Optional(
    Type.Boolean({ description: `True makes this card the default, which is charged. ${absent}`, examples: [true] }),
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
      description: 'The name on the card. It must not contain a card number.',
      examples: ['Ada Lovelace'],
    }),
    cardNumber: secretText({
      rule: checkCardNumber,
      description:
        '12 to 19 digits. Spaces and dashes are removed. Paydesk sends the number to the gateway, does not store it, and ' +
        'returns it masked.',
      examples: ['4242 4242 4242 4242'],
    }),
    expMonth,
    expYear,
    cvv: secretText({
      rule: checkSecurityCode,
      description: '3 or 4 digits. Paydesk does not store the code and never returns it.',
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
      description: 'The first four digits, asterisks, and the last four digits.',
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
