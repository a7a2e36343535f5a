import type { Static, TProperties } from 'typebox';
import { BillingInformationBody } from '../../billing/billing-information/billing-information.schema.ts';
import { AddressBody } from '../../customers/addresses/addresses.schema.ts';
import { BillingSettingsBody } from '../../customers/companies/companies.settings.schema.ts';
import { Company } from '../../identity/companies/companies.schema.ts';
import { OwnCompanyBody } from '../../identity/company/company.schema.ts';
import { externalIdOrNull, externalIdText } from '../../platform/http/company-ids/company-id.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const SORTS = ['createdAt', '-createdAt', 'name', '-name', 'externalId', '-externalId'] as const;
/** As of an invoice: 100 addresses of a company are many, and a create makes all of them at once. */
const MAX_ADDRESSES = 100;

const filters = {
  search: Type.Optional(
    text({
      required: true,
      description:
        'Only companies that match this text. It is the beginning of a word in the name of the company, in the ' +
        'e-mail address of the company or of a member, in the external id, or in the VAT number. Upper and lower ' +
        'case count as the same.',
      examples: ['analyt'],
    }),
  ),
  email: Type.Optional(
    text({
      required: true,
      description:
        'Only companies with this e-mail address, or with a user who has it. Upper and lower case count as the same.',
    }),
  ),
  externalId: Type.Optional(externalIdText('Only the company with exactly this external id.')),
  disabled: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: 'With true, only disabled companies. With false, only companies that are not disabled.',
      examples: ['false'],
    }),
  ),
};

export const CompanyFileQuery = Type.Object(filters);
export type CompanyFileQuery = Static<typeof CompanyFileQuery>;

export const CompanyQuery = Type.Object({
  ...pageQuery,
  ...filters,
  sort: Type.Enum(SORTS, {
    default: '-createdAt',
    description:
      'The field to sort on; `-` before it means descending. Names are sorted without regard to case. Companies ' +
      'without an external id come last in both directions.',
    examples: ['name'],
  }),
});
export type CompanyQuery = Static<typeof CompanyQuery>;

const organization = Type.String({
  description: 'The `organization` of the billing information; empty without one.',
  examples: ['Analytical Engines'],
});

const ListedCompany = namedObject('ListedCompany', { ...Company.properties, organization });
export type ListedCompany = Static<typeof ListedCompany>;

export const CompanyList = pageOf('CompanyList', ListedCompany);

const amounts = (description: string) =>
  Type.Array(
    namedObject('CompanyAmount', {
      currency: Type.String({ examples: ['USD'] }),
      amount: Type.String({ examples: ['48.00'] }),
    }),
    { description },
  );

const count = (description: string) => Type.Integer({ description, examples: [1] });

export const CompanyDetails = namedObject('CompanyDetails', {
  ...Company.properties,
  organization,
  members: count('How many members the company has.'),
  cards: count('How many cards the company has saved.'),
  paypalAccounts: count('How many PayPal accounts the company has saved.'),
  openInvoices: count('How many invoices of the company are open.'),
  due: amounts('The sum of what is due on the open invoices, in each currency.'),
  overdue: amounts('The part of `due` that is past its due date, in each currency.'),
  credit: amounts('The credit that the next payments use first.'),
});
export type CompanyDetails = Static<typeof CompanyDetails>;

const { name, ...otherProfile } = OwnCompanyBody.properties;

const metadata = Type.Optional(
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 40, 'x-card-numbers': {} },
    additionalProperties: { type: 'string', maxLength: 500, 'x-card-numbers': {} },
    description:
      'Up to 50 texts of your own. A name has at most 40 characters, and a text at most 500. A change ' +
      'replaces all of them.',
    examples: [{ plan: 'pro' }],
  }),
);

const parts = {
  billingInformation: Type.Optional(named('OperatorBillingInformationBody', BillingInformationBody)),
  billingSettings: Type.Optional(BillingSettingsBody),
};

const whole = <P extends TProperties>(nameOfBody: string, properties: P) => namedObject(nameOfBody, properties);

export const CompanyCreateBody = whole('CompanyCreateBody', {
  externalId: Type.Optional(externalIdOrNull('The id that your product gives the company. Null counts as absent.')),
  name: text({ required: true, examples: ['Analytical Engines Ltd'] }),
  ...otherProfile,
  metadata,
  ...parts,
  addresses: Type.Optional(
    Type.Array(named('OperatorAddressBody', AddressBody), {
      maxItems: MAX_ADDRESSES,
      description: 'Addresses to save.',
    }),
  ),
});
export type CompanyCreateBody = Static<typeof CompanyCreateBody>;

export const CompanyUpdateBody = whole('OperatorCompanyBody', {
  externalId: Type.Optional(
    externalIdOrNull(
      'If the path has a UUID: the new external id, or null for none. If the path has an external id, omit this ' +
        'field or repeat that id.',
    ),
  ),
  name,
  ...otherProfile,
  metadata,
  disabled: Type.Optional(
    Type.Boolean({
      description:
        'True disables the company: its members and API keys can read, but not change anything, and Paydesk does not collect ' +
        'its invoices automatically.',
      examples: [true],
    }),
  ),
  ...parts,
});
export type CompanyUpdateBody = Static<typeof CompanyUpdateBody>;
