import { appHome } from './home.tsx';
import { appInvoice } from './invoice.tsx';
import { appInvoices } from './invoices.tsx';
import { appLayout } from './layout.tsx';
import { appLogin } from './login.tsx';
import { appPaymentMethods } from './payment-methods.tsx';

/** The site map of /app. */
export const appRoutes = [
  appLogin,
  appLayout.addChildren([appHome, appInvoices, appInvoice, appPaymentMethods]),
] as const;
