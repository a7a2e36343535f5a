import { Dialog } from '../ui/dialog/dialog.tsx';
import { Kbd } from '../ui/kbd/kbd.tsx';
import styles from './palette-dialog.module.css';
import { useShellText } from './text.ts';

/** What the keys do. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const t = useShellText();
  const keys = [
    { id: 'palette', keys: ['Ctrl', 'K'] },
    { id: 'search', keys: ['/'] },
    { id: 'rows', keys: ['↑', '↓'] },
    { id: 'open', keys: ['Enter'] },
    { id: 'help', keys: ['?'] },
  ] as const;
  return (
    <Dialog open onClose={onClose} title={t('keyboard.title')}>
      <dl className={styles.keys}>
        {keys.map(({ id, keys: names }) => (
          <div key={id}>
            <dt>{t(`keyboard.${id}`)}</dt>
            <dd>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
