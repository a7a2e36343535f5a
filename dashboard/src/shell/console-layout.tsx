import { useSession } from '../api/session.ts';
import { CONSOLE_NAVIGATION } from './console-navigation.ts';
import { Layout } from './layout.tsx';

/** The frame of the operator's pages. */
export function ConsoleLayout() {
  const isPerson = useSession()?.user != null;
  const groups = CONSOLE_NAVIGATION.map(({ text, pages }) => ({
    text,
    pages: pages.filter(({ isPersonal }) => isPerson || isPersonal !== true),
  }));
  return <Layout app="console" groups={groups} />;
}
