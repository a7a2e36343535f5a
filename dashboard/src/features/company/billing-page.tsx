import type { Address, BillingInformation } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';
import { countryName } from '../../format/countries.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ListPart, Part } from '../../lists/part.tsx';
import { useListsText } from '../../lists/text.ts';
import type { Column } from '../../lists/types.ts';
import { Description } from '../../ui/description/description.tsx';
import { addressLine } from '../payment-methods/address-fields.tsx';
import { BillingSettingsForm } from './billing-settings.tsx';
import { CompanyFrame } from './company-frame.tsx';
import { useCompanyText } from './text.ts';

/** How a company is billed: its settings, which the operator can change, and what it has entered itself. */
export function CompanyBillingPage() {
  const t = useCompanyText();
  return (
    <CompanyFrame part="billing">
      {({ id }) => (
        <>
          <Part
            title={t('settingsTitle')}
            description={t('settingsText')}
            queryKey={['companies', id, 'billing-settings']}
            read={(options) => paydesk().operator.companies.billingSettings.get(id, options)}
          >
            {(settings) => <BillingSettingsForm settings={settings} />}
          </Part>
          <Part
            title={t('informationTitle')}
            queryKey={['companies', id, 'billing-information']}
            read={(options) => paydesk().operator.companies.billingInformation.get(id, options)}
          >
            {(information) => <Information information={information} />}
          </Part>
          <Addresses companyId={id} />
        </>
      )}
    </CompanyFrame>
  );
}

function Information({ information }: { information: BillingInformation }) {
  const t = useCompanyText();
  const words = useListsText();
  const language = useLanguage();
  const { organization, firstName, lastName, address, zipCode, city, province, country, phoneNumber, taxId } =
    information;
  const place = [address, `${zipCode} ${city}`.trim(), province, countryName(country, language)];
  const lines = place.filter((line) => line !== '').join(', ');
  return (
    <Description
      items={[
        { term: t('organization'), value: organization || '–' },
        { term: words('words.name'), value: `${firstName} ${lastName}`.trim() || '–' },
        { term: t('address'), value: lines || '–' },
        { term: t('phone'), value: phoneNumber || '–' },
        { term: t('taxId'), value: taxId || '–' },
      ]}
    />
  );
}

function Addresses({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const language = useLanguage();
  const columns: Column<Address>[] = [
    { id: 'address', header: t('address'), cell: addressLine },
    { id: 'country', header: t('country'), cell: ({ country }) => countryName(country, language) },
  ];
  return (
    <ListPart
      title={t('addressesTitle')}
      queryKey={['companies', companyId, 'addresses']}
      read={(options) => paydesk().operator.companies.addresses.list(companyId, options)}
      columns={columns}
      rowId={({ id }) => id}
      empty={t('noAddresses')}
    />
  );
}
