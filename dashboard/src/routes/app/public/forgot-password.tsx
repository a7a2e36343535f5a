import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appForgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/forgot-password',
  component: lazyRouteComponent(
    () => import('../../../features/accounts/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});
