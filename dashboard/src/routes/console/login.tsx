import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { demandNoSession } from '../guard.ts';
import { rootRoute } from '../root.tsx';

const checkSearch = searchOf('return_to');

export const consoleLogin = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/login',
  validateSearch: checkSearch,
  beforeLoad: ({ search }): void => demandNoSession(search, '/console'),
  component: lazyRouteComponent(() => import('../../features/login/console-login-page.tsx'), 'ConsoleLoginPage'),
});
