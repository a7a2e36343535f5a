import { Link, Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../ui/button/icon-button.tsx';
import styles from './layout.module.css';
import type { NavigationGroup } from './navigation.ts';
import { Notices } from './notices.tsx';
import { Palette } from './palette.tsx';
import { useShellText } from './text.ts';

/** Loaded after the page is shown: nobody logs out before. */
const AccountMenu = lazy(() => import('./account-menu.tsx').then((module) => ({ default: module.AccountMenu })));

/** The frame around each page: navigation, search, account, and what holds for all pages, such as that no real money moves. */
export function Layout({ app, groups }: { app: 'app' | 'console'; groups: NavigationGroup[] }) {
  const t = useShellText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      <div className={styles.sidebar} data-open={isOpen || undefined}>
        <div className={styles.top}>
          <Link to={`/${app}`} className={styles.brand}>
            <span className={styles.mark} aria-hidden="true" />
            {app === 'app' ? 'Paydesk' : t('console')}
          </Link>
          <span className={styles.toggle}>
            <IconButton
              label={t('menu')}
              icon={<MenuIcon aria-hidden="true" />}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            />
          </span>
        </div>
        <div className={styles.drawer}>
          <Palette groups={groups} app={app} />
          <nav aria-label={t('navigation')} className={styles.navigation}>
            {groups.map((group) => (
              <Group key={group.text} group={group} app={app} onFollow={() => setIsOpen(false)} />
            ))}
          </nav>
          <Suspense fallback={<span className={styles.account} />}>
            <AccountMenu app={app} />
          </Suspense>
        </div>
      </div>
      <div className={styles.page}>
        <Notices />
        <main id="content" tabIndex={-1} className={styles.content}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  );
}

type GroupProps = { group: NavigationGroup; app: 'app' | 'console'; onFollow: () => void };

function Group({ group: { text, pages }, app, onFollow }: GroupProps) {
  const t = useShellText();
  return (
    <div>
      {text === null ? null : <p className={styles.group}>{t(`groups.${text}`)}</p>}
      <ul className={styles.pages}>
        {pages.map(({ to, text: name, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.link}
              activeOptions={{ exact: to === `/${app}`, includeSearch: false }}
              onClick={onFollow}
            >
              <Icon aria-hidden="true" className={styles.icon} />
              {t(`pages.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
