import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleBillingRuns = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/billing-runs',
  validateSearch: searchOf('page', 'perPage'),
  component: lazyRouteComponent(() => import('../../features/billing-runs/billing-runs-page.tsx'), 'BillingRunsPage'),
});
