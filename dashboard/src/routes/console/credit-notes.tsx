import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleCreditNotes = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/credit-notes',
  validateSearch: searchOf(
    'page',
    'perPage',
    'number',
    'from',
    'to',
    'currency',
    'min',
    'max',
    'companyId',
    'invoiceId',
  ),
  component: lazyRouteComponent(() => import('../../features/credit-notes/credit-notes-page.tsx'), 'CreditNotesPage'),
});
