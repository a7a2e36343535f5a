import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appRevertEmail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/revert-email',
  component: lazyRouteComponent(() => import('../../../features/accounts/revert-email-page.tsx'), 'RevertEmailPage'),
});
