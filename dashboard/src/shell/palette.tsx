import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Kbd } from '../ui/kbd/kbd.tsx';
import styles from './layout.module.css';
import type { NavigationGroup } from './navigation.ts';
import { useShellText } from './text.ts';

const PaletteDialog = lazy(() =>
  import('./palette-dialog.tsx').then(({ PaletteDialog: component }) => ({ default: component })),
);
const KeyboardHelp = lazy(() =>
  import('./keyboard-help.tsx').then(({ KeyboardHelp: component }) => ({ default: component })),
);

type Open = 'palette' | 'help' | null;

/** The command palette (Ctrl-K), the help of the keyboard (?), and the key that leads to a list's search (/). */
export function Palette({ groups, app }: { groups: NavigationGroup[]; app: 'app' | 'console' }) {
  const t = useShellText();
  const [open, setOpen] = useState<Open>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (action === null) return;
      event.preventDefault();
      if (action === 'search') document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      else setOpen(action);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const close = () => setOpen(null);
  return (
    <>
      <button type="button" className={styles.palette} onClick={() => setOpen('palette')}>
        <Search aria-hidden="true" className={styles.icon} />
        <span>{t('palette.open')}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <Suspense fallback={null}>
        {open === 'palette' ? <PaletteDialog groups={groups} app={app} onClose={close} /> : null}
        {open === 'help' ? <KeyboardHelp onClose={close} /> : null}
      </Suspense>
    </>
  );
}

function actionOf(event: KeyboardEvent): 'palette' | 'help' | 'search' | null {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return 'palette';
  const isTyping =
    event.target instanceof HTMLElement &&
    event.target.closest('input, textarea, select, [contenteditable], [role=dialog]');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === '?') return 'help';
  return event.key === '/' ? 'search' : null;
}
