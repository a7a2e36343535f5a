import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { rootRoute } from '../root.tsx';

export const appLogin = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/login',
  validateSearch: searchOf('return_to'),
  component: lazyRouteComponent(() => import('../../features/login/login-page.tsx'), 'LoginPage'),
});
