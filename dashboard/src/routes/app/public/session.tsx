import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appSession = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/session',
  component: lazyRouteComponent(() => import('../../../features/accounts/session-page.tsx'), 'SessionPage'),
});
