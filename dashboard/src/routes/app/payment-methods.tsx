import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appPaymentMethods = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/payment-methods',
  component: lazyRouteComponent(
    () => import('../../features/payment-methods/payment-methods-page.tsx'),
    'PaymentMethodsPage',
  ),
});
