import { Autocomplete } from '@base-ui/react/autocomplete';
import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog/dialog.tsx';
import type { NavigationGroup, NavigationPage } from './navigation.ts';
import styles from './palette-dialog.module.css';
import { useShellText } from './text.ts';

type Entry = { id: string; label: string; icon: NavigationPage['icon']; run: () => void };

/** Every page of the app by its name. */
export function PaletteDialog({
  groups,
  onClose,
}: {
  groups: NavigationGroup[];
  app: 'app' | 'console';
  onClose: () => void;
}) {
  const t = useShellText();
  const navigate = useNavigate();
  const entries: Entry[] = groups
    .flatMap(({ pages }) => pages)
    .map(({ to, text, icon }) => ({ id: to, label: t(`pages.${text}`), icon, run: () => void navigate({ to }) }));
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
