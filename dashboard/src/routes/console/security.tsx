import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleSecurity = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/security',
  validateSearch: searchOf('demanded'),
  component: lazyRouteComponent(() => import('../../features/security/security-page.tsx'), 'SecurityPage'),
});
