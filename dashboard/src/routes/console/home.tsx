import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleLayout } from './layout.tsx';

export const consoleHome = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console',
  component: lazyRouteComponent(
    () => import('../../features/operator-home/operator-home-page.tsx'),
    'OperatorHomePage',
  ),
});
