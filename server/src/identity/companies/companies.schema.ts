import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

export const CompanyQuery = Type.Object({
  ...pageQuery,
  email: Type.Optional(
    text({
      required: true,
      description:
        'Only companies with this e-mail address, or with a user who has it. Upper and lower case count as the same.',
    }),
  ),
});

export const Company = namedObject('Company', {
  id: uuid(),
  name: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  describe: Type.String(),
  email: Type.String({
    description: 'The e-mail address of the company. If it has none, the address of its first admin.',
    examples: ['ada@example.com'],
  }),
  disabled: Type.Boolean({
    description: 'Whether the company is disabled: its members and API keys can read, but not change anything.',
    examples: [false],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type Company = Static<typeof Company>;

export const CompanyBody = namedObject('OperatorCompanyBody', {
  disabled: Type.Optional(
    Type.Boolean({
      description:
        'True disables the company: its members and API keys can read, but not change anything, and Paydesk does not collect ' +
        'its invoices automatically.',
      examples: [true],
    }),
  ),
});
export type CompanyBody = Static<typeof CompanyBody>;

export const CompanyList = pageOf('CompanyList', Company);
