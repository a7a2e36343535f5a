import { EMAIL, patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText, text } from '../../platform/http/schema/validation.ts';
import { checkCardNumber, checkCardText, checkSecurityCode, LAST_YEAR } from './card-number.ts';
import { checkIban } from './iban.ts';

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
    maximum: LAST_YEAR,
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

/** What the holder of an account types for a mandate. */
export const debitFields = {
  iban: secretText({
    rule: checkIban,
    description: 'Of an account in SEPA. Spaces are removed. Paydesk stores its country and its last four characters.',
    examples: ['DE89 3704 0044 0532 0130 00'],
  }),
  name: text({
    required: true,
    rule: checkCardText,
    cardNumbers: 'allowed',
    description: 'The holder of the account.',
    examples: ['Ada Lovelace'],
  }),
  email: text({
    required: true,
    rule: patternRule(EMAIL, 'must be a valid e-mail address'),
    cardNumbers: 'allowed',
    description: 'A real gateway announces each debit to it. The sandbox keeps nothing of it.',
    examples: ['ada@example.com'],
  }),
};
