import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleBalances = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/balances',
  validateSearch: searchOf('to', 'from', 'companyId'),
  component: lazyRouteComponent(() => import('../../features/balances/balances-page.tsx'), 'BalancesPage'),
});
