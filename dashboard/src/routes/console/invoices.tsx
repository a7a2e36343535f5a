import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleInvoices = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/invoices',
  validateSearch: searchOf(
    'page',
    'perPage',
    'companyId',
    'number',
    'status',
    'state',
    'startAt',
    'endAt',
    'method',
    'currency',
    'min',
    'max',
    'from',
    'to',
    'runId',
  ),
  component: lazyRouteComponent(
    () => import('../../features/operator-invoices/operator-invoices-page.tsx'),
    'OperatorInvoicesPage',
  ),
});
