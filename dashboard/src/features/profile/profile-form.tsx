import type { UserProfile } from '@paydesk/client';
import { useState } from 'react';
import { paydesk, updateUser } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUnsaved } from '../../forms/use-unsaved.ts';
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, speakTo, useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button/button.tsx';
import { FieldRow, Form, FormSection } from '../../ui/form/form.tsx';
import { type Option, Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useProfileText } from './text.ts';

/** Stands for an unset value in a select, whose options all need one. */
const UNSET = 'unset';

/** Name, place, language and time zone. The language takes effect when it is saved. */
export function ProfileForm({ user }: { user: UserProfile }) {
  const t = useProfileText();
  const forms = useFormsText();
  const toast = useToast();
  const [isChanged, setIsChanged] = useState(false);
  useUnsaved(isChanged);
  const change = () => setIsChanged(true);
  const { submit, isPending, errors, message } = useSubmit(
    async (fields: Record<string, string>) => {
      const { data } = await paydesk().auth.me.update({
        ...fields,
        language: setValue(fields.language),
        timezone: setValue(fields.timezone),
      });
      return data;
    },
    {
      onDone: (saved) => {
        setIsChanged(false);
        updateUser(saved);
        speakTo(saved);
        toast.add({ title: forms('saved') });
      },
    },
  );
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={(fields) => void submit(fields as Record<string, string>)}
      actions={
        <Button type="submit" variant="primary" pending={isPending}>
          {forms('save')}
        </Button>
      }
    >
      <FormSection title={t('person.title')} description={t('person.description')}>
        <FieldRow>
          <TextField
            {...{ label: t('firstName'), name: 'first_name', defaultValue: user.first_name, onChange: change }}
            autoComplete="given-name"
            required
          />
          <TextField
            {...{ label: t('lastName'), name: 'last_name', defaultValue: user.last_name, onChange: change }}
            autoComplete="family-name"
            required
          />
        </FieldRow>
        <TextField
          {...{ label: t('phone'), name: 'phone', defaultValue: user.phone, onChange: change }}
          type="tel"
          autoComplete="tel"
        />
        <FieldRow>
          <TextField
            {...{ label: t('city'), name: 'city', defaultValue: user.city, onChange: change }}
            autoComplete="address-level2"
          />
          <TextField
            {...{ label: t('country'), name: 'country', defaultValue: user.country, onChange: change }}
            autoComplete="country-name"
          />
        </FieldRow>
      </FormSection>
      <FormSection title={t('place.title')} description={t('place.description')}>
        <Select
          {...{ label: t('language'), name: 'language', onChange: change, options: useLanguages(user.language) }}
          defaultValue={user.language === '' ? UNSET : languageOf(user.language)}
        />
        <Select
          {...{ label: t('timeZone'), name: 'timezone', onChange: change, options: useTimeZones(user.timezone) }}
          defaultValue={user.timezone === '' ? UNSET : user.timezone}
        />
      </FormSection>
    </Form>
  );
}

function setValue(chosen: string | undefined): string {
  return chosen === undefined || chosen === UNSET ? '' : chosen;
}

/** `de-AT` is shown as German; a language that the pages don't speak stays as it is. */
function languageOf(tag: string): string {
  const spoken = tag.slice(0, 2).toLowerCase();
  return isLanguage(spoken) ? spoken : tag;
}

function useLanguages(tag: string): Option[] {
  const t = useProfileText();
  const shown = useLanguage();
  const other = tag === '' || isLanguage(languageOf(tag)) ? [] : [tag];
  return [
    { value: UNSET, label: t('ofBrowser') },
    ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
    ...other.map((value) => ({
      value,
      label: new Intl.DisplayNames(shown, { type: 'language' }).of(value) ?? value,
    })),
  ];
}

function useTimeZones(chosen: string): Option[] {
  const t = useProfileText();
  const known = Intl.supportedValuesOf('timeZone');
  const zones = chosen === '' || known.includes(chosen) ? known : [chosen, ...known];
  return [
    { value: UNSET, label: t('ofDevice') },
    ...zones.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ];
}
