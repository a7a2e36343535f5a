import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleLayout } from './layout.tsx';

export const consoleProfile = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/profile',
  component: lazyRouteComponent(() => import('../../features/profile/profile-page.tsx'), 'ProfilePage'),
});
