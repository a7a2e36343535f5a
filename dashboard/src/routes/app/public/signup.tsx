import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appSignup = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/signup',
  component: lazyRouteComponent(() => import('../../../features/accounts/signup-page.tsx'), 'SignupPage'),
});
