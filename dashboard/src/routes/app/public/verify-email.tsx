import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appVerifyEmail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/verify-email',
  component: lazyRouteComponent(() => import('../../../features/accounts/verify-email-page.tsx'), 'VerifyEmailPage'),
});
