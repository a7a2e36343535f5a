import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleRefunds = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/refunds',
  validateSearch: searchOf(
    'page',
    'perPage',
    'status',
    'from',
    'to',
    'currency',
    'min',
    'max',
    'companyId',
    'invoiceId',
    'paymentId',
  ),
  component: lazyRouteComponent(() => import('../../features/refunds/refunds-page.tsx'), 'RefundsPage'),
});
