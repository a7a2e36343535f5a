import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleRecovery = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/recovery',
  validateSearch: searchOf('page', 'perPage', 'state'),
  component: lazyRouteComponent(() => import('../../features/recovery/recovery-page.tsx'), 'RecoveryPage'),
});
