import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

export const CompanyQuery = Type.Object({
  ...pageQuery,
  email: Type.Optional(
    text({ required: true, description: "The company's e-mail or that of one of its users, without case." }),
  ),
});

export const Company = namedObject('Company', {
  id: uuid(),
  name: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  describe: Type.String(),
  email: Type.String({
    description: "The company's e-mail, or else its first admin's.",
    examples: ['ada@example.com'],
  }),
  disabled: Type.Boolean({ description: 'Whether its members and API keys may only read.', examples: [false] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type Company = Static<typeof Company>;

export const CompanyBody = namedObject('OperatorCompanyBody', {
  disabled: Type.Optional(
    Type.Boolean({
      description: 'True: its members and API keys may read and write nothing, and nothing is collected by itself.',
      examples: [true],
    }),
  ),
});
export type CompanyBody = Static<typeof CompanyBody>;

export const CompanyList = pageOf('CompanyList', Company);
