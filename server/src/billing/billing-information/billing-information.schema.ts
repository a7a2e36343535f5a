import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { numberText, text } from '../../platform/http/schema/validation.ts';

const field = (example: string) => Type.Optional(text({ examples: [example] }));

/** Absent fields keep their values. */
export const BillingInformationBody = namedObject('BillingInformationBody', {
  firstName: field('Ada'),
  lastName: field('Lovelace'),
  phoneNumber: Type.Optional(numberText({ examples: ['+44 20 7946 0000'] })),
  country: field('GB'),
  address: Type.Optional(text({ max: 2_000, examples: ['12 St James Square, London'] })),
  zipCode: field('10115'),
  province: field('Greater London'),
  city: field('London'),
  organization: field('Analytical Engines Ltd'),
  taxId: Type.Optional(numberText({ examples: ['GB123456789'] })),
});
export type BillingInformationBody = Static<typeof BillingInformationBody>;

export const BillingInformation = namedObject('BillingInformation', {
  id: uuid(),
  ...companyIds,
  paymentId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: "The id of the company's default card. Null while the company has no default card.",
  }),
  paymentMethod: Type.String({
    description:
      "The method of the company's default card, which is `Card`. Empty while the company has no default card.",
    examples: ['Card'],
  }),
  inStoreCredit: Type.Number({
    description: 'Credit in the billing currency, which the next payment uses before it charges a card.',
    examples: [25],
  }),
  firstName: Type.String({ examples: ['Ada'] }),
  lastName: Type.String({ examples: ['Lovelace'] }),
  phoneNumber: Type.String({ examples: ['+44 20 7946 0000'] }),
  country: Type.String({ examples: ['GB'] }),
  address: Type.String({ examples: ['12 St James Square, London'] }),
  zipCode: Type.String({ examples: ['10115'] }),
  postalCode: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: '`zipCode` as a number if it has only digits, else null.',
    examples: [10115],
  }),
  province: Type.String({ examples: ['Greater London'] }),
  city: Type.String({ examples: ['London'] }),
  organization: Type.String({ examples: ['Analytical Engines Ltd'] }),
  taxId: Type.String({ examples: ['GB123456789'] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type BillingInformation = Static<typeof BillingInformation>;

const changedFields = (description: string, organization: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [{ organization }],
  });

const BillingInformationChange = namedObject('BillingInformationChange', {
  id: uuid(),
  ...companyIds,
  changedBy: Type.String({ description: 'Who made the correction: always `operator`.', examples: ['operator'] }),
  before: changedFields('The values of the changed fields before the correction.', 'Analytical Engines'),
  after: changedFields('The values of the same fields after the correction.', 'Analytical Engines Ltd'),
  createdAt: timestamp(),
});

export const BillingInformationChangeQuery = Type.Object(pageQuery);
export type BillingInformationChangeQuery = Static<typeof BillingInformationChangeQuery>;

export const BillingInformationChangeList = pageOf('BillingInformationChangeList', BillingInformationChange);
