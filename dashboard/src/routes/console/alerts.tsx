import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleAlerts = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/alerts',
  validateSearch: searchOf('page', 'perPage', 'state', 'kind', 'companyId'),
  component: lazyRouteComponent(() => import('../../features/alerts/alerts-page.tsx'), 'AlertsPage'),
});
