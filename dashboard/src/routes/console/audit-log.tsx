import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleAuditLog = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/audit-log',
  validateSearch: searchOf('page', 'perPage', 'companyId', 'action', 'actor', 'target', 'from', 'to', 'requestId'),
  component: lazyRouteComponent(() => import('../../features/audit-log/audit-log-page.tsx'), 'OperatorAuditLogPage'),
});
