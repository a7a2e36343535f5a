import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleDisputes = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/disputes',
  validateSearch: searchOf('page', 'perPage', 'status', 'companyId', 'from', 'to', 'currency'),
  component: lazyRouteComponent(() => import('../../features/disputes/disputes-page.tsx'), 'DisputesPage'),
});
