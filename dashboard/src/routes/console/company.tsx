import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

const getParentRoute = () => consoleLayout;

/** The page of one company, in parts that have addresses of their own. */
export const consoleCompany = createRoute({
  getParentRoute,
  path: '/console/companies/$companyId',
  component: lazyRouteComponent(() => import('../../features/company/overview-page.tsx'), 'CompanyOverviewPage'),
});

export const consoleCompanyBilling = createRoute({
  getParentRoute,
  path: '/console/companies/$companyId/billing',
  component: lazyRouteComponent(() => import('../../features/company/billing-page.tsx'), 'CompanyBillingPage'),
});

export const consoleCompanyMails = createRoute({
  getParentRoute,
  path: '/console/companies/$companyId/mails',
  component: lazyRouteComponent(() => import('../../features/company/mails-page.tsx'), 'CompanyMailsPage'),
});

export const consoleCompanyPrices = createRoute({
  getParentRoute,
  path: '/console/companies/$companyId/prices',
  validateSearch: searchOf('page', 'perPage'),
  component: lazyRouteComponent(() => import('../../features/company/prices-page.tsx'), 'CompanyPricesPage'),
});

export const consoleCompanyUsage = createRoute({
  getParentRoute,
  path: '/console/companies/$companyId/usage',
  component: lazyRouteComponent(() => import('../../features/company/usage-page.tsx'), 'CompanyUsagePage'),
});

export const consoleCompanyDevelopers = createRoute({
  getParentRoute,
  path: '/console/companies/$companyId/developers',
  component: lazyRouteComponent(() => import('../../features/company/developers-page.tsx'), 'CompanyDevelopersPage'),
});
