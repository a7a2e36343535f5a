import type { OperatorBillingSettings, OperatorBillingSettingsBody } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUnsaved } from '../../forms/use-unsaved.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { FieldRow, Form, FormSection } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCompanyText } from './text.ts';

const COLLECTIONS = ['by_card', 'automatic', 'manual'] as const;
const PAYMENT_METHODS = ['default', 'Card', 'paypal'] as const;
const LATE_USAGE = ['next_invoice', 'refuse', 'ignore'] as const;

type Props = { settings: OperatorBillingSettings };
type Fields = Record<string, FormDataEntryValue>;

/** How a company is billed and charged. */
export function BillingSettingsForm({ settings }: Props) {
  const t = useCompanyText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const reason = useLacksRole('finance');
  const [isChanged, setIsChanged] = useState(false);
  useUnsaved(isChanged);
  const { companyId } = settings;
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields) =>
      paydesk().operator.companies.billingSettings.update(companyId, changesOf(toBody(fields), settings)),
    {
      onDone: (saved) => {
        setIsChanged(false);
        queries.setQueryData(['companies', companyId, 'billing-settings'], saved);
        toast.add({ title: t('settingsSaved') });
      },
    },
  );
  const change = () => setIsChanged(true);
  return (
    <Form
      errors={toFields(errors)}
      message={message}
      onSubmit={(fields) => void submit(fields)}
      actions={
        <Button type="submit" variant="primary" pending={isPending} disabledReason={reason}>
          {forms('save')}
        </Button>
      }
    >
      <Terms settings={settings} onChange={change} />
      <Tax settings={settings} onChange={change} />
      <Periods settings={settings} onChange={change} />
    </Form>
  );
}

type SectionProps = Props & { onChange: () => void };

function Terms({ settings, onChange }: SectionProps) {
  const t = useCompanyText();
  const { netDays, collection, paymentMethod, dunningDays, collectsAutomatically } = settings;
  return (
    <FormSection
      title={t('sections.terms')}
      description={t(collectsAutomatically ? 'chargedAutomatically' : 'notChargedAutomatically')}
    >
      <FieldRow>
        <TextField
          {...{ label: t('fields.netDays'), name: 'netDays', defaultValue: String(netDays), onChange }}
          inputMode="numeric"
          required
        />
        <TextField
          {...{ label: t('fields.dunningDays'), name: 'dunningDays', defaultValue: dunningDays.join(', '), onChange }}
          description={t('fields.dunningDaysText')}
        />
      </FieldRow>
      <FieldRow>
        <Select
          {...{ label: t('fields.collection'), name: 'collection', defaultValue: collection, onChange }}
          options={COLLECTIONS.map((value) => ({ value, label: t(`collections.${value}`) }))}
        />
        <Select
          {...{ label: t('fields.paymentMethod'), name: 'paymentMethod', defaultValue: paymentMethod, onChange }}
          options={PAYMENT_METHODS.map((value) => ({ value, label: t(`paymentMethods.${value}`) }))}
        />
      </FieldRow>
    </FormSection>
  );
}

function Tax({ settings, onChange }: SectionProps) {
  const t = useCompanyText();
  const words = useListsText();
  const { currency, taxRate, exemptWithTaxId, taxExempt, vatId, numberPrefix } = settings;
  return (
    <FormSection title={t('sections.tax')} description={taxExempt ? t('taxExempt') : undefined}>
      <FieldRow>
        <TextField
          {...{ label: words('words.currency'), name: 'currency', defaultValue: currency, onChange }}
          autoComplete="off"
          required
        />
        <TextField
          {...{ label: t('fields.taxRate'), name: 'taxRate', defaultValue: taxRate, onChange }}
          inputMode="decimal"
          required
        />
        <TextField
          {...{ label: t('fields.numberPrefix'), name: 'numberPrefix', defaultValue: numberPrefix, onChange }}
          autoComplete="off"
          placeholder="ACME-"
        />
      </FieldRow>
      <Switch
        {...{ label: t('fields.exemptWithTaxId'), name: 'exemptWithTaxId', defaultChecked: exemptWithTaxId, onChange }}
        description={
          vatId === null ? t('noVatId') : t('vatIdText', { number: vatId.number, form: t(`vatForms.${vatId.form}`) })
        }
      />
    </FormSection>
  );
}

function Periods({ settings, onChange }: SectionProps) {
  const t = useCompanyText();
  const { timezone, invoiceGraceHours, lateUsage } = settings;
  const [kind, setKind] = useState<string>(lateUsage.kind);
  const known = Intl.supportedValuesOf('timeZone');
  const zones = known.includes(timezone) ? known : [timezone, ...known];
  return (
    <FormSection title={t('sections.periods')}>
      <FieldRow>
        <Select
          {...{ label: t('fields.timezone'), name: 'timezone', defaultValue: timezone, onChange }}
          options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        />
        <TextField
          {...{ label: t('fields.invoiceGraceHours'), name: 'invoiceGraceHours', onChange }}
          defaultValue={String(invoiceGraceHours)}
          inputMode="numeric"
          required
        />
      </FieldRow>
      <FieldRow>
        <Select
          {...{ label: t('fields.lateUsage'), name: 'lateUsage', value: kind }}
          onChange={(value) => {
            setKind(value);
            onChange();
          }}
          options={LATE_USAGE.map((value) => ({ value, label: t(`lateUsage.${value}`) }))}
        />
        {kind === 'refuse' ? (
          <TextField
            {...{ label: t('fields.lateUsageDays'), name: 'lateUsageDays', onChange }}
            defaultValue={String(lateUsage.days ?? 30)}
            inputMode="numeric"
            required
          />
        ) : null}
      </FieldRow>
    </FormSection>
  );
}

function toBody(fields: Fields): OperatorBillingSettingsBody {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const kind = text('lateUsage');
  const lateUsage = kind === 'refuse' ? { kind, days: Number(text('lateUsageDays')) } : { kind };
  return {
    netDays: Number(text('netDays')),
    dunningDays: (text('dunningDays').match(/[^\s,;]+/g) ?? []).map(Number),
    collection: text('collection') as OperatorBillingSettings['collection'],
    paymentMethod: text('paymentMethod') as OperatorBillingSettings['paymentMethod'],
    currency: text('currency').toUpperCase(),
    taxRate: text('taxRate'),
    numberPrefix: text('numberPrefix'),
    exemptWithTaxId: fields.exemptWithTaxId !== undefined,
    timezone: text('timezone'),
    invoiceGraceHours: Number(text('invoiceGraceHours')),
    lateUsage: lateUsage as NonNullable<OperatorBillingSettingsBody['lateUsage']>,
  };
}

/** What differs from the settings that were read: somebody else's change of another field stays. */
function changesOf(body: OperatorBillingSettingsBody, settings: OperatorBillingSettings): OperatorBillingSettingsBody {
  const known = settings as Readonly<Record<string, unknown>>;
  const changed = Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]));
  return Object.fromEntries(changed);
}

/** An error of one day stands at the field that has all of them. */
function toFields(errors: Record<string, string>): Record<string, string> {
  const fieldOf = (name: string) => (name === 'lateUsage.days' ? 'lateUsageDays' : name.replace(/[.[].*$/, ''));
  return Object.fromEntries(Object.entries(errors).map(([name, text]) => [fieldOf(name), text]));
}
