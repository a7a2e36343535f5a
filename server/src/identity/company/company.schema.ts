import type { Static } from 'typebox';
import { uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { EMAIL, patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { numberText, text } from '../../platform/http/schema/validation.ts';

const checkEmailOrEmpty = patternRule(`(?:${EMAIL})?`, 'must be a valid e-mail address');

export const OwnCompanyBody = namedObject('OwnCompanyBody', {
  name: Type.Optional(text({ examples: ['Analytical Engines Ltd'] })),
  phone: Type.Optional(numberText({ examples: ['+44 20 7946 0000'] })),
  address: Type.Optional(text({ examples: ['12 St James’s Square, London'] })),
  describe: Type.Optional(text({ examples: ['Engines that compute'] })),
  email: Type.Optional(text({ rule: checkEmailOrEmpty, examples: ['office@example.com'] })),
});
export type OwnCompanyBody = Static<typeof OwnCompanyBody>;

const field = (example: string) =>
  Type.String({ description: 'The text is empty when the field is unset.', examples: [example] });

export const OwnCompany = namedObject('OwnCompany', {
  id: uuid(),
  name: field('Analytical Engines Ltd'),
  phone: field('+44 20 7946 0000'),
  address: field('12 St James’s Square, London'),
  describe: field('Engines that compute'),
  email: field('office@example.com'),
});
export type OwnCompany = Static<typeof OwnCompany>;
