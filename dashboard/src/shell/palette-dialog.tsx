import { Autocomplete } from '@base-ui/react/autocomplete';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../ui/dialog/dialog.tsx';
import type { NavigationGroup, NavigationPage } from './navigation.ts';
import styles from './palette-dialog.module.css';
import { useShellText } from './text.ts';

type Entry = { id: string; label: string; icon: NavigationPage['icon']; run: () => void };

/** What may be the id of a request: a text without spaces that has a digit. */
const REQUEST_ID = /^(?=.*\d)[\x21-\x7e]{8,128}$/;

/** Every page of the app by its name, and what a request changed by its id. */
export function PaletteDialog({
  groups,
  app,
  onClose,
}: {
  groups: NavigationGroup[];
  app: 'app' | 'console';
  onClose: () => void;
}) {
  const t = useShellText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const pages = groups.flatMap((group) => group.pages);
  const entries: Entry[] = pages.map(({ to, text, icon }) => ({
    id: to,
    label: t(`pages.${text}`),
    icon,
    run: () => void navigate({ to }),
  }));
  const log = pages.find(({ text }) => text === 'auditLog');
  const requestId = typed.trim();
  if (log !== undefined && REQUEST_ID.test(requestId)) {
    const search = app === 'console' ? { requestId } : { request_id: requestId };
    const run = () => void navigate({ to: log.to, search: search as never });
    entries.push({ id: 'request', label: t('palette.request', { id: requestId }), icon: log.icon, run });
  }
  const choose = (entry: Entry) => {
    onClose();
    entry.run();
  };
  return (
    <Dialog open onClose={onClose} title={t('palette.open')}>
      <Autocomplete.Root
        inline
        open
        items={entries}
        value={typed}
        onValueChange={setTyped}
        itemToStringValue={({ label }: Entry) => label}
        autoHighlight="always"
        keepHighlight
      >
        <Autocomplete.Input
          className={styles.input}
          placeholder={t('palette.placeholder')}
          aria-label={t('palette.placeholder')}
        />
        <Autocomplete.Empty className={styles.empty}>{t('palette.empty')}</Autocomplete.Empty>
        <Autocomplete.List className={styles.list}>
          {(entry: Entry) => (
            <Autocomplete.Item key={entry.id} value={entry} className={styles.item} onClick={() => choose(entry)}>
              <entry.icon aria-hidden="true" />
              {entry.label}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}
