import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleLayout } from './layout.tsx';

export const consoleCompany = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/companies/$companyId',
  component: lazyRouteComponent(() => import('../../features/company/company-page.tsx'), 'CompanyPage'),
});
