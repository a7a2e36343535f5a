import type { NewApiKey, Permissions } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk, useSession } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy-button/copy-button.tsx';
import { DateField } from '../../ui/date-field/date-field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { SidePanel } from '../../ui/side-panel/side-panel.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { PermissionGrid } from '../roles/permission-grid.tsx';
import { cellsOf, permissionsOf } from '../roles/permissions.ts';
import { useApiKeysText } from './text.ts';

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
      {isOpen ? <CreatePanel onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CreatePanel({ onClose }: { onClose: () => void }) {
  const t = useApiKeysText();
  const forms = useFormsText();
  const [made, setMade] = useState<NewApiKey | null>(null);
  return (
    <SidePanel open onClose={onClose} title={t('create')} closeLabel={forms('close')}>
      {made?.key === undefined ? <KeyForm onMade={setMade} /> : <NewKey text={made.key} onDone={onClose} />}
    </SidePanel>
  );
}

function KeyForm({ onMade }: { onMade: (key: NewApiKey) => void }) {
  const t = useApiKeysText();
  const words = useListsText();
  const queries = useQueryClient();
  const held = useSession()?.permissions;
  const [permission, setPermission] = useState(() => readingOf(held));
  const [sent, setSent] = useState<string[]>([]);
  const { submit, isPending, errors, message } = useSubmit(
    ({ name, until, ips }: { name: string; until: string; ips: string[] }, options) =>
      paydesk().company.apiKeys.create({ name, permission, expires_at: endOf(until), allowed_ips: ips }, options),
    {
      onDone: (key) => {
        void queries.invalidateQueries({ queryKey: ['api-keys'] });
        onMade(key);
      },
    },
  );
  // The form shows errors again whenever it gets a new object of them.
  const told = useMemo(() => withAddresses(errors, sent), [errors, sent]);
  return (
    <Form
      errors={told}
      message={message}
      onSubmit={({ name, expires_at: until, allowed_ips: addresses }) => {
        const ips = String(addresses)
          .split(/[\s,;]+/)
          .filter((address) => address !== '');
        setSent(ips);
        void submit({ name: String(name), until: String(until), ips });
      }}
      actions={
        <Button type="submit" variant="primary" pending={isPending}>
          {t('create')}
        </Button>
      }
    >
      <TextField label={words('words.name')} name="name" maxLength={255} required autoComplete="off" />
      <PermissionGrid value={permission} onChange={setPermission} />
      <DateField label={t('expiresOn')} name="expires_at" description={t('expiresText')} />
      <TextArea label={t('addresses')} name="allowed_ips" description={t('addressesText')} />
    </Form>
  );
}

/** Returns what a person may read, which is what a new key begins with. */
function readingOf(held: Permissions | null | undefined): Permissions {
  const cells = held == null ? [] : [...cellsOf(held)];
  return permissionsOf(new Set(cells.filter((cell) => cell.endsWith('.view'))));
}

/** A key works to the end of the day on which it expires. */
function endOf(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString();
}

/** Tells what is wrong with addresses at the one field that has them all, each with its own reason. */
function withAddresses(errors: Record<string, string>, addresses: readonly string[]): Record<string, string> {
  const wrong = addresses.flatMap((address, index) => {
    const text = errors[`allowed_ips[${index}]`];
    return text === undefined ? [] : [`${address}: ${text}`];
  });
  return wrong.length === 0 ? errors : { ...errors, allowed_ips: wrong.join('. ') };
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
