import { appApiKeys } from './api-keys.tsx';
import { appAuditLog } from './audit-log.tsx';
import { appBillingInformation } from './billing-information.tsx';
import { appHome } from './home.tsx';
import { appInvoice } from './invoice.tsx';
import { appInvoices } from './invoices.tsx';
import { appLabels } from './labels.tsx';
import { appLayout } from './layout.tsx';
import { appMailSettings } from './mail-settings.tsx';
import { appPaymentMethods } from './payment-methods.tsx';
import { appProfile } from './profile.tsx';
import { appPublicRoutes } from './public/public.ts';
import { appRoles } from './roles.tsx';
import { appSecurity } from './security.tsx';
import { appSettings } from './settings.tsx';
import { appTeam } from './team.tsx';
import { appUsage } from './usage.tsx';
import { appWebhooks } from './webhooks.tsx';

/** The site map of /app. */
export const appRoutes = [
  ...appPublicRoutes,
  appLayout.addChildren([
    appHome,
    appInvoices,
    appInvoice,
    appPaymentMethods,
    appBillingInformation,
    appMailSettings,
    appUsage,
    appLabels,
    appApiKeys,
    appWebhooks,
    appTeam,
    appRoles,
    appAuditLog,
    appSettings,
    appProfile,
    appSecurity,
  ]),
] as const;
