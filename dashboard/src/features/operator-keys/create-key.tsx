import type { NewOperatorKey } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useOperatorKeysText } from './text.ts';

const ROLES = ['viewer', 'finance', 'integration', 'admin'] as const;

/** Creates a key, and shows it once. */
export function CreateKey() {
  const t = useOperatorKeysText();
  const reason = useLacksRole('admin');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" disabledReason={reason} onClick={() => setIsOpen(true)}>
        {t('create')}
      </Button>
      {isOpen ? <CreateDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useOperatorKeysText();
  const forms = useFormsText();
  const [made, setMade] = useState<NewOperatorKey | null>(null);
  return (
    <Dialog open onClose={onClose} title={t('create')} closeLabel={forms('close')}>
      {made?.key === undefined ? <KeyForm onMade={setMade} /> : <NewKey text={made.key} onDone={onClose} />}
    </Dialog>
  );
}

function KeyForm({ onMade }: { onMade: (key: NewOperatorKey) => void }) {
  const t = useOperatorKeysText();
  const words = useListsText();
  const queries = useQueryClient();
  const [role, setRole] = useState<(typeof ROLES)[number]>('viewer');
  const { submit, isPending, errors, message } = useSubmit(
    (name: string, options) => paydesk().operator.keys.create({ name, role }, options),
    {
      onDone: (key) => {
        void queries.invalidateQueries({ queryKey: ['operator-keys'] });
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
        label={words('words.role')}
        name="role"
        value={role}
        onChange={(value) => setRole(value as typeof role)}
        options={ROLES.map((value) => ({ value, label: t(`roles.${value}`) }))}
      />
    </Form>
  );
}

/** The only time that the key is shown. */
function NewKey({ text, onDone }: { text: string; onDone: () => void }) {
  const t = useOperatorKeysText();
  return (
    <Banner tone="success" title={t('created')} action={<Button onClick={onDone}>{t('done')}</Button>}>
      <code>{text}</code> <CopyButton text={text} label={t('copy')} copiedLabel={t('copied')} />
    </Banner>
  );
}
