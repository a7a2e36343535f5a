import type { Address, AddressBody } from '@paydesk/client';
import { countryOptions } from '../../format/countries.ts';
import { useLanguage } from '../../i18n/language.ts';
import { FieldRow } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useMethodsText } from './text.ts';

const NAMES = ['firstName', 'lastName', 'streetAddress', 'aptNumber', 'zipCode', 'state', 'country'] as const;

/** The fields of a postal address, by the API's names. */
export function AddressFields({ address }: { address?: Address }) {
  const t = useMethodsText();
  const language = useLanguage();
  const field = (name: (typeof NAMES)[number], autoComplete: string, required = false) => (
    <TextField
      label={t(`address.${name}`)}
      name={name}
      autoComplete={`billing ${autoComplete}`}
      defaultValue={address?.[name] ?? ''}
      required={required}
    />
  );
  return (
    <>
      <FieldRow>
        {field('firstName', 'given-name')}
        {field('lastName', 'family-name')}
      </FieldRow>
      {field('streetAddress', 'address-line1', true)}
      {field('aptNumber', 'address-line2')}
      <FieldRow>
        {field('zipCode', 'postal-code')}
        {field('state', 'address-level1')}
      </FieldRow>
      <Select
        label={t('address.country')}
        name="country"
        options={countryOptions(language, address?.country ?? '')}
        defaultValue={address === undefined || address.country === '' ? undefined : address.country}
        placeholder={t('address.choose')}
        required
      />
    </>
  );
}

/** Takes the fields of an address out of a form. */
export function readAddress(fields: Record<string, FormDataEntryValue>): AddressBody {
  return Object.fromEntries(NAMES.map((name) => [name, String(fields[name] ?? '')]));
}

/** An address in one line. */
export function addressLine({ firstName, lastName, streetAddress, aptNumber, zipCode, state }: Address): string {
  const parts = [`${firstName} ${lastName}`, streetAddress, aptNumber, `${zipCode} ${state}`];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ');
}
