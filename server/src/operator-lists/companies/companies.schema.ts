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

export const CompanyQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    text({
      required: true,
      description:
        'The beginning of a word of the name, of the e-mail of the company or of a member, of the external id, or of the VAT number; ' +
        'without case.',
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
  externalId: Type.Optional(externalIdText('The company with exactly this external id.')),
  disabled: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: 'Only those that are disabled, or that are not.',
      examples: ['false'],
    }),
  ),
  sort: Type.Enum(SORTS, {
    default: '-createdAt',
    description:
      '`-` means descending. Names sort as people sort them; companies without an external id are last in both directions.',
    examples: ['name'],
  }),
});
export type CompanyQuery = Static<typeof CompanyQuery>;

export const CompanyList = pageOf('CompanyList', Company);

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
  members: count('How many members it has.'),
  cards: count('How many cards it has saved.'),
  paypalAccounts: count('How many PayPal accounts it has saved.'),
  openInvoices: count('Its invoices on which something is due.'),
  due: amounts('What is due on its open invoices, in each currency.'),
  overdue: amounts('The part of it whose due date is past.'),
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
    description: 'Up to 50 texts of yours, of up to 500 characters, by names of up to 40. It is replaced whole.',
    examples: [{ plan: 'pro' }],
  }),
);

const parts = {
  billingInformation: Type.Optional(named('OperatorBillingInformationBody', BillingInformationBody)),
  billingSettings: Type.Optional(BillingSettingsBody),
};

const whole = <P extends TProperties>(nameOfBody: string, properties: P) => namedObject(nameOfBody, properties);

export const CompanyCreateBody = whole('CompanyCreateBody', {
  externalId: Type.Optional(externalIdOrNull('The id that your product has for it. Null as if absent.')),
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
      'At the path of a UUID: the new external id, or null for none. At that of an external id it is the same or absent.',
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
