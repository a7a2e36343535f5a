import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appInvoices = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/invoices',
  validateSearch: searchOf(
    'page',
    'perPage',
    'receipt',
    'min',
    'max',
    'status',
    'state',
    'method',
    'startAt',
    'endAt',
    'currency',
  ),
  component: lazyRouteComponent(() => import('../../features/invoices/invoices-page.tsx'), 'InvoicesPage'),
});
