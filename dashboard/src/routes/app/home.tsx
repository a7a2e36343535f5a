import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appHome = createRoute({
  getParentRoute: () => appLayout,
  path: '/app',
  component: lazyRouteComponent(() => import('../../features/home/app-home-page.tsx'), 'AppHomePage'),
});
