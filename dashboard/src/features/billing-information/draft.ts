import type { BillingInformation } from '@paydesk/client';

export const FIELDS = [
  'organization',
  'firstName',
  'lastName',
  'address',
  'zipCode',
  'city',
  'province',
  'country',
  'phoneNumber',
  'taxId',
] as const;

/** The billing information as it stands in the form. */
export type Draft = Record<(typeof FIELDS)[number], string>;

export function draftOf(saved: BillingInformation): Draft {
  return Object.fromEntries(FIELDS.map((name) => [name, saved[name]])) as Draft;
}
