import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consolePayments = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/payments',
  validateSearch: searchOf(
    'page',
    'perPage',
    'status',
    'method',
    'from',
    'to',
    'currency',
    'min',
    'max',
    'companyId',
    'invoiceId',
  ),
  component: lazyRouteComponent(() => import('../../features/payments/payments-page.tsx'), 'PaymentsPage'),
});
