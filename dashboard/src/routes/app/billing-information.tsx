import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appBillingInformation = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/billing-information',
  component: lazyRouteComponent(
    () => import('../../features/billing-information/billing-information-page.tsx'),
    'BillingInformationPage',
  ),
});
