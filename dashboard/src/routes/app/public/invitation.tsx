import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../root.tsx';

export const appInvitation = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/invitation',
  component: lazyRouteComponent(() => import('../../../features/accounts/invitation-page.tsx'), 'InvitationPage'),
});
