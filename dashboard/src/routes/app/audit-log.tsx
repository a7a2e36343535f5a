import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appAuditLog = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/audit-log',
  validateSearch: searchOf('page', 'per_page', 'action', 'actor', 'target', 'from', 'to', 'request_id'),
  component: lazyRouteComponent(() => import('../../features/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});
