import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { rootRoute } from '../root.tsx';

export const consoleLogin = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/login',
  validateSearch: searchOf('return_to'),
  component: lazyRouteComponent(() => import('../../features/login/console-login-page.tsx'), 'ConsoleLoginPage'),
});
