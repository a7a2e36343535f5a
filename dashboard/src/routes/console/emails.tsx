import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleEmails = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/emails',
  validateSearch: searchOf(
    'page',
    'perPage',
    'companyId',
    'invoiceId',
    'recipient',
    'type',
    'status',
    'from',
    'to',
    'mail',
  ),
  component: lazyRouteComponent(() => import('../../features/mails/mails-page.tsx'), 'MailsPage'),
});
