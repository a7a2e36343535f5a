import type { NewApiKey, Permissions } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk, useSession } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useApiKeysText } from './text.ts';

type Access = 'view' | 'all';

/** Creates a key, and shows it once. */
export function CreateApiKey() {
  const t = useApiKeysText();
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="primary"
        disabledReason={may('platform.applications.all') ? undefined : t('mayNot')}
        onClick={() => setIsOpen(true)}
      >
        {t('create')}
      </Button>
      {isOpen ? <CreateDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useApiKeysText();
  const forms = useFormsText();
  const [made, setMade] = useState<NewApiKey | null>(null);
  return (
    <Dialog open onClose={onClose} title={t('create')} closeLabel={forms('close')}>
      {made?.key === undefined ? <KeyForm onMade={setMade} /> : <NewKey text={made.key} onDone={onClose} />}
    </Dialog>
  );
}

function KeyForm({ onMade }: { onMade: (key: NewApiKey) => void }) {
  const t = useApiKeysText();
  const words = useListsText();
  const queries = useQueryClient();
  const session = useSession();
  const [access, setAccess] = useState<Access>('view');
  const { submit, isPending, errors, message } = useSubmit(
    (name: string, options) => {
      const permission = permissionsFor(session?.permissions as Permissions, access);
      return paydesk().company.apiKeys.create({ name, permission }, options);
    },
    {
      onDone: (key) => {
        void queries.invalidateQueries({ queryKey: ['api-keys'] });
        onMade(key);
      },
    },
  );
  return (
    <Form
      errors={errors}
      message={message}
      onSubmit={({ name }) => void submit(String(name))}
      actions={
        <Button type="submit" variant="primary" pending={isPending}>
          {t('create')}
        </Button>
      }
    >
      <TextField label={words('words.name')} name="name" required autoComplete="off" />
      <Select
        label={t('access')}
        name="access"
        value={access}
        onChange={(value) => setAccess(value as Access)}
        options={(['view', 'all'] as const).map((value) => ({ value, label: t(`accesses.${value}`) }))}
      />
    </Form>
  );
}

/** Returns what a person holds, for reading alone or in full: nobody gives away what they lack. */
function permissionsFor(held: Permissions, access: Access): Permissions {
  const part = (entries: Record<string, { view: boolean; all: boolean } | null>) =>
    Object.fromEntries(
      Object.entries(entries).map(([name, flags]) => [
        name,
        flags === null ? null : { view: flags.view, all: flags.all && access === 'all' },
      ]),
    );
  return { platform: part(held.platform), application: part(held.application) } as Permissions;
}

/** The only time that the key is shown. */
function NewKey({ text, onDone }: { text: string; onDone: () => void }) {
  const t = useApiKeysText();
  return (
    <Banner tone="success" title={t('created')} action={<Button onClick={onDone}>{t('done')}</Button>}>
      <code>{text}</code> <CopyButton text={text} label={t('copy')} copiedLabel={t('copied')} />
    </Banner>
  );
}
