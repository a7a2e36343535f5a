import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleReconciliation = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/reconciliation',
  validateSearch: searchOf('from', 'to', 'gateway'),
  component: lazyRouteComponent(
    () => import('../../features/reconciliation/reconciliation-page.tsx'),
    'ReconciliationPage',
  ),
});
