import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

export const CompanyQuery = Type.Object({
  ...pageQuery,
  email: Type.Optional(
    text({ required: true, description: "The company's e-mail or that of one of its users, without case." }),
  ),
});

const Company = namedObject('Company', {
  id: uuid(),
  name: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  describe: Type.String(),
  email: Type.String({
    description: "The company's e-mail, or else its first admin's.",
    examples: ['ada@example.com'],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

export const CompanyList = namedObject('CompanyList', {
  total: Type.Integer({ examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  perPage: Type.Integer({ examples: [10] }),
  data: Type.Array(Company),
});
