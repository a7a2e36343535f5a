import { Type } from '../../platform/http/schema/type.ts';
import { secretText, text } from '../../platform/http/schema/validation.ts';
import { checkCardNumber, checkCardText, checkSecurityCode } from './card-number.ts';

/** What is on a card, as its holder types it. */
export const cardFields = {
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
  expMonth: Type.Integer({ minimum: 1, maximum: 12, examples: [12] }),
  expYear: Type.Integer({
    minimum: 0,
    maximum: 2_099,
    description: 'Four digits, or two digits that stand for 20xx. A card that has expired is refused.',
    examples: [2030],
  }),
  cvv: secretText({
    rule: checkSecurityCode,
    description: '3 or 4 digits. Paydesk does not store the code and never returns it.',
    examples: ['123'],
  }),
  country: text({ required: true, rule: checkCardText, cardNumbers: 'allowed', examples: ['GB'] }),
};
