import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleLedger = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/ledger',
  validateSearch: searchOf('perPage', 'cursor', 'companyId', 'account', 'from', 'to', 'invoiceId', 'sourceId'),
  component: lazyRouteComponent(() => import('../../features/ledger/ledger-page.tsx'), 'LedgerPage'),
});
