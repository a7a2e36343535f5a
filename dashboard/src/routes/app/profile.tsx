import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appProfile = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/profile',
  component: lazyRouteComponent(() => import('../../features/profile/profile-page.tsx'), 'ProfilePage'),
});
