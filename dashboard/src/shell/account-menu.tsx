import { LogOut } from 'lucide-react';
import { logOut, useSession } from '../api/session.ts';
import { Avatar } from '../ui/avatar/avatar.tsx';
import { Menu } from '../ui/menu/menu.tsx';
import styles from './layout.module.css';
import { useShellText } from './text.ts';
import { useTheme } from './theme.ts';

/** Who is logged in, the theme, and the way out. */
export function AccountMenu({ app }: { app: 'app' | 'console' }) {
  const t = useShellText();
  const session = useSession();
  const { theme, setTheme } = useTheme();
  const next = theme === 'dark' ? 'light' : 'dark';
  return (
    <Menu
      trigger={
        <button type="button" className={styles.account}>
          <Avatar name={session?.name ?? ''} />
          <span className={styles.accountName}>{session?.name}</span>
        </button>
      }
      items={[
        { label: t(`theme.${next}`), onSelect: () => setTheme(next) },
        { label: t('theme.system'), onSelect: () => setTheme('system') },
        'separator',
        { label: t('logOut'), icon: <LogOut aria-hidden="true" />, onSelect: () => void logOut(`/${app}/login`) },
      ]}
    />
  );
}
