import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText } from '../../platform/http/schema/validation.ts';

const isDefault = {
  description: 'True makes this account the default, which is charged for invoices of the method `paypal`.',
};

/** Visible ASCII, as the tokens of every gateway are. The message does not repeat any part of the token, which is a secret. */
const checkSetupToken = patternRule('[!-~]+', 'must have one visible ASCII character at least, and no others');

export const CreatePaypalAccountBody = namedObject('CreatePaypalAccountBody', {
  setupToken: secretText({
    rule: checkSetupToken,
    description:
      'The token that PayPal issues when the holder agrees to be charged. Paydesk exchanges it once, does not store it and ' +
      'never returns it.',
    examples: ['5C991763VB2781612'],
  }),
  isDefault: Type.Optional(
    Type.Boolean({ description: `${isDefault.description} False when absent.`, examples: [true] }),
  ),
});
export type CreatePaypalAccountBody = Static<typeof CreatePaypalAccountBody>;

export const UpdatePaypalAccountBody = namedObject('UpdatePaypalAccountBody', {
  isDefault: Type.Boolean({ ...isDefault, examples: [true] }),
});
export type UpdatePaypalAccountBody = Static<typeof UpdatePaypalAccountBody>;

export const PaypalAccount = namedObject('PaypalAccount', {
  id: uuid(),
  ...companyIds,
  method: Type.Enum(['paypal']),
  email: Type.String({ description: 'The e-mail address of the PayPal account.', examples: ['ada@example.com'] }),
  isDefault: Type.Boolean({ examples: [true] }),
  metadata: Type.Unsafe<object>({ type: 'object', additionalProperties: true, examples: [{}] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type PaypalAccount = Static<typeof PaypalAccount>;

export const PaypalAccountList = named('PaypalAccountList', Type.Array(PaypalAccount));
