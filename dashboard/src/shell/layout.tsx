import { useIsFetching } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { IconButton } from '../ui/button/icon-button.tsx';
import styles from './layout.module.css';
import type { NavigationGroup } from './navigation.ts';
import { Notices } from './notices.tsx';
import { Palette } from './palette.tsx';
import { useShellText } from './text.ts';

const AccountMenu = lazy(() => import('./account-menu.tsx').then((module) => ({ default: module.AccountMenu })));

/** The frame around each page: navigation, search, account, and what holds for all pages, such as that no real money moves. */
export function Layout({ app, groups }: { app: 'app' | 'console'; groups: NavigationGroup[] }) {
  const t = useShellText();
  const [isOpen, setIsOpen] = useState(false);
  const isLoaded = useIsLoaded();
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
            {isLoaded ? <AccountMenu app={app} /> : <span className={styles.account} />}
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

/** So long without a request, the page has what it asked for. */
const STILL_MS = 150;

/** Whether the page has loaded once. What nobody needs before then waits for it: nobody logs out before. */
function useIsLoaded(): boolean {
  const [isLoaded, setIsLoaded] = useState(false);
  const fetching = useIsFetching();
  useEffect(() => {
    if (fetching > 0) return;
    const timer = setTimeout(() => setIsLoaded(true), STILL_MS);
    return () => clearTimeout(timer);
  }, [fetching]);
  return isLoaded;
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
