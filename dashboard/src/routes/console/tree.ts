import { consoleAlerts } from './alerts.tsx';
import { consoleAuditLog } from './audit-log.tsx';
import { consoleBalances } from './balances.tsx';
import { consoleBillingRuns } from './billing-runs.tsx';
import { consoleCompanies } from './companies.tsx';
import {
  consoleCompany,
  consoleCompanyBilling,
  consoleCompanyDevelopers,
  consoleCompanyMails,
  consoleCompanyPrices,
  consoleCompanyUsage,
} from './company.tsx';
import { consoleCreditNotes } from './credit-notes.tsx';
import { consoleDisputes } from './disputes.tsx';
import { consoleEmails } from './emails.tsx';
import { consoleEvents } from './events.tsx';
import { consoleHome } from './home.tsx';
import { consoleInvoice } from './invoice.tsx';
import { consoleInvoices } from './invoices.tsx';
import { consoleJobs } from './jobs.tsx';
import { consoleKeys } from './keys.tsx';
import { consoleLayout } from './layout.tsx';
import { consoleLedger } from './ledger.tsx';
import { consoleLogin } from './login.tsx';
import { consolePayments } from './payments.tsx';
import { consolePrice, consolePrices } from './prices.tsx';
import { consoleProfile } from './profile.tsx';
import { consoleReconciliation } from './reconciliation.tsx';
import { consoleRecovery } from './recovery.tsx';
import { consoleRefunds } from './refunds.tsx';
import { consoleSecurity } from './security.tsx';
import { consoleSeller } from './seller.tsx';
import { consoleStaff } from './staff.tsx';
import { consoleUsage } from './usage.tsx';
import { consoleWebhooks } from './webhooks.tsx';

/** The site map of /console. */
export const consoleRoutes = [
  consoleLogin,
  consoleLayout.addChildren([
    consoleHome,
    consoleCompanies,
    consoleCompany,
    consoleCompanyBilling,
    consoleCompanyMails,
    consoleCompanyPrices,
    consoleCompanyUsage,
    consoleCompanyDevelopers,
    consoleInvoices,
    consoleInvoice,
    consolePayments,
    consoleRefunds,
    consoleCreditNotes,
    consoleDisputes,
    consolePrices,
    consolePrice,
    consoleUsage,
    consoleBillingRuns,
    consoleLedger,
    consoleBalances,
    consoleReconciliation,
    consoleRecovery,
    consoleAlerts,
    consoleJobs,
    consoleEvents,
    consoleEmails,
    consoleWebhooks,
    consoleStaff,
    consoleKeys,
    consoleAuditLog,
    consoleSeller,
    consoleProfile,
    consoleSecurity,
  ]),
] as const;
