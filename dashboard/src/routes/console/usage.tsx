import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleUsage = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/usage',
  validateSearch: searchOf('page', 'perPage', 'companyId', 'path', 'from', 'to', 'granularity', 'timezone'),
  component: lazyRouteComponent(
    () => import('../../features/operator-usage/operator-usage-page.tsx'),
    'OperatorUsagePage',
  ),
});
