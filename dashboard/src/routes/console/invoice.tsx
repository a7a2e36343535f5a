import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleLayout } from './layout.tsx';

export const consoleInvoice = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/invoices/$invoiceId',
  component: lazyRouteComponent(
    () => import('../../features/operator-invoices/operator-invoice-page.tsx'),
    'OperatorInvoicePage',
  ),
});
