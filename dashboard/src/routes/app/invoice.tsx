import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appInvoice = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/invoices/$invoiceId',
  component: lazyRouteComponent(() => import('../../features/invoice/invoice-page.tsx'), 'InvoicePage'),
});
