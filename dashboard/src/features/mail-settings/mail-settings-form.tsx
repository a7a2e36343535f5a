import type { MailSettings } from '@paydesk/client';
import { useState } from 'react';
import { languageName } from '../../format/languages.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUnsaved } from '../../forms/use-unsaved.ts';
import { isLanguage, useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button/button.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useMailsText } from '../mails/text.ts';
import { useMailSettingsText } from './text.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja'] as const;
const TYPES = ['invoice_issued', 'receipt', 'payment_failed', 'confirmation_needed', 'card_expires'] as const;

type Fields = Record<string, FormDataEntryValue>;

type Props = {
  settings: MailSettings;
  save: (settings: MailSettings) => Promise<MailSettings>;
  onSaved: (settings: MailSettings) => void;
  /** Why they can only be read. */
  disabledReason?: string;
};

/** Who gets a company's mails about money, in which language, and which. */
export function MailSettingsForm({ settings, save, onSaved, disabledReason }: Props) {
  const t = useMailSettingsText();
  const forms = useFormsText();
  const toast = useToast();
  const [isChanged, setIsChanged] = useState(false);
  useUnsaved(isChanged);
  const { submit, isPending, errors, message } = useSubmit((fields: Fields) => save(toSettings(fields, settings)), {
    onDone: (saved) => {
      setIsChanged(false);
      onSaved(saved);
      toast.add({ title: t('saved') });
    },
  });
  return (
    <Form
      errors={toFields(errors)}
      message={message}
      onSubmit={(fields) => void submit(fields)}
      actions={
        <Button type="submit" variant="primary" pending={isPending} disabledReason={disabledReason}>
          {forms('save')}
        </Button>
      }
    >
      <Recipients settings={settings} onChange={() => setIsChanged(true)} />
      <Types settings={settings} onChange={() => setIsChanged(true)} isReadOnly={disabledReason !== undefined} />
    </Form>
  );
}

type SectionProps = { settings: MailSettings; onChange: () => void };

function Recipients({ settings: { recipients, language }, onChange }: SectionProps) {
  const t = useMailSettingsText();
  const reader = useLanguage();
  const labelOf = (tag: string) => {
    const name = languageName(tag, reader);
    return isLanguage(tag) ? name : t('withoutMails', { language: name });
  };
  return (
    <FormSection title={t('toWhom')}>
      <TextArea
        {...{ label: t('recipients'), name: 'recipients', description: t('recipientsText'), onChange }}
        defaultValue={recipients.join('\n')}
        rows={3}
      />
      <Select
        {...{ label: t('language'), name: 'language', description: t('languageText'), onChange }}
        defaultValue={language}
        options={LANGUAGES.map((value) => ({ value, label: labelOf(value) }))}
      />
    </FormSection>
  );
}

function Types({ settings: { disabled }, onChange, isReadOnly }: SectionProps & { isReadOnly: boolean }) {
  const t = useMailSettingsText();
  const mails = useMailsText();
  return (
    <FormSection title={t('which')} description={t('whichText')}>
      {TYPES.map((type) => (
        <Switch
          key={type}
          {...{ label: mails(`types.${type}`), name: type, description: t(`about.${type}`), onChange }}
          defaultChecked={!disabled.includes(type)}
          disabled={isReadOnly}
        />
      ))}
    </FormSection>
  );
}

/** A type that has no switch here keeps its state. */
function toSettings(fields: Fields, { disabled }: MailSettings): MailSettings {
  const isSwitch = (type: string) => TYPES.some((one) => one === type);
  return {
    recipients: String(fields.recipients ?? '').match(/[^\s,;]+/g) ?? [],
    language: String(fields.language) as MailSettings['language'],
    disabled: [...disabled.filter((type) => !isSwitch(type)), ...TYPES.filter((type) => fields[type] === undefined)],
  };
}

/** An error of one address stands at the field that has all of them. */
function toFields(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.replace(/[.[].*$/, ''), text]));
}
