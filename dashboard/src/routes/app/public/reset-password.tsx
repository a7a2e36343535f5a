import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appResetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/reset-password',
  component: lazyRouteComponent(
    () => import('../../../features/accounts/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
});
