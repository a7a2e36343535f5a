import { useMay } from '../api/may.ts';
import { useSession } from '../api/session.ts';
import { APP_NAVIGATION } from './app-navigation.ts';
import { Layout } from './layout.tsx';

/** The frame of the company's pages. */
export function AppLayout() {
  const may = useMay();
  const session = useSession();
  const isPerson = session?.user != null;
  const groups = APP_NAVIGATION.map(({ text, pages }) => ({
    text,
    pages: pages.filter(
      ({ permission, isPersonal }) =>
        (permission === undefined || may(permission)) && (isPerson || isPersonal !== true),
    ),
  })).filter(({ pages }) => pages.length > 0);
  return <Layout app="app" groups={groups} />;
}
