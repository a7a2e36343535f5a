import { useNavigate } from '@tanstack/react-router';
import { LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { leaveView, logOut, useSession } from '../api/session.ts';
import { useFailure } from '../forms/use-submit.ts';
import { Avatar } from '../ui/avatar/avatar.tsx';
import { Menu, type MenuItem } from '../ui/menu/menu.tsx';
import { useToast } from '../ui/toast/toast.tsx';
import styles from './layout.module.css';
import { useShellText } from './text.ts';
import { useTheme } from './theme.ts';

/** Who is logged in, the theme, and the way out. */
export function AccountMenu({ app }: { app: 'app' | 'console' }) {
  const t = useShellText();
  const session = useSession();
  const { theme, setTheme } = useTheme();
  const navigate = useNavigate();
  const failureOf = useFailure();
  const toast = useToast();
  const tell = (error: unknown) => toast.add({ title: failureOf(error).message ?? '', tone: 'danger' });
  const ofPerson: MenuItem[] = [
    {
      label: t('pages.profile'),
      icon: <UserRound aria-hidden="true" />,
      onSelect: () => void navigate({ to: `/${app}/profile` }),
    },
    {
      label: t('pages.security'),
      icon: <ShieldCheck aria-hidden="true" />,
      onSelect: () => void navigate({ to: `/${app}/security` }),
    },
    'separator',
  ];
  const out: MenuItem =
    session?.kind === 'view'
      ? { label: t('leaveView'), icon: <LogOut aria-hidden="true" />, onSelect: () => void leaveView().catch(tell) }
      : {
          label: t('logOut'),
          icon: <LogOut aria-hidden="true" />,
          onSelect: () => void logOut(`/${app}/login`).catch(tell),
        };
  const next = theme === 'dark' ? 'light' : 'dark';
  const company = app === 'app' ? (session?.user?.company.name ?? '') : '';
  return (
    <Menu
      trigger={
        <button type="button" className={styles.account}>
          <Avatar name={session?.name ?? ''} />
          <span className={styles.accountName}>
            {session?.name}
            {company === '' ? null : <span className={styles.accountCompany}>{company}</span>}
          </span>
        </button>
      }
      items={[
        ...(session?.user == null ? [] : ofPerson),
        { label: t(`theme.${next}`), onSelect: () => setTheme(next) },
        { label: t('theme.system'), onSelect: () => setTheme('system') },
        'separator',
        out,
      ]}
    />
  );
}
