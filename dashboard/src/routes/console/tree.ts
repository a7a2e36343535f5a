import { consoleHome } from './home.tsx';
import { consoleLayout } from './layout.tsx';
import { consoleLogin } from './login.tsx';

/** The site map of /console. */
export const consoleRoutes = [consoleLogin, consoleLayout.addChildren([consoleHome])] as const;
