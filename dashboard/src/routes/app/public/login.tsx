import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../../lists/search.ts';
import { demandNoSession } from '../../guard.ts';
import { rootRoute } from '../../root.tsx';

const checkSearch = searchOf('return_to', 'error');

export const appLogin = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/login',
  validateSearch: checkSearch,
  beforeLoad: ({ search }): void => demandNoSession(search, '/app'),
  component: lazyRouteComponent(() => import('../../../features/login/login-page.tsx'), 'LoginPage'),
});
