import { appHome } from './home.tsx';
import { appInvoice } from './invoice.tsx';
import { appInvoices } from './invoices.tsx';
import { appLayout } from './layout.tsx';
import { appPaymentMethods } from './payment-methods.tsx';
import { appPublicRoutes } from './public/public.ts';

/** The site map of /app. */
export const appRoutes = [
  ...appPublicRoutes,
  appLayout.addChildren([appHome, appInvoices, appInvoice, appPaymentMethods]),
] as const;
