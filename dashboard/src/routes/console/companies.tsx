import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleCompanies = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/companies',
  validateSearch: searchOf('page', 'perPage', 'search', 'email', 'externalId', 'disabled', 'sort'),
  component: lazyRouteComponent(() => import('../../features/companies/companies-page.tsx'), 'CompaniesPage'),
});
