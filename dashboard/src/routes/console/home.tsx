import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleLayout } from './layout.tsx';

export const consoleHome = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console',
  component: lazyRouteComponent(() => import('../../features/home/console-home-page.tsx'), 'ConsoleHomePage'),
});
