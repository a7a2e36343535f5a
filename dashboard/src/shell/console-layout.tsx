import { useSession } from '../api/session.ts';
import { CONSOLE_NAVIGATION } from './console-navigation.ts';
import { Layout } from './layout.tsx';

/** The frame of the operator's pages. */
export function ConsoleLayout() {
  const session = useSession();
  const isPerson = session?.user != null;
  const groups = CONSOLE_NAVIGATION.map(({ text, pages }) => ({
    text,
    pages: pages.filter(
      ({ isPersonal, role }) =>
        (isPerson || isPersonal !== true) && (role === undefined || role === session?.operatorRole),
    ),
  }));
  return <Layout app="console" groups={groups} />;
}
