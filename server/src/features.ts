import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { alerts } from './alerts/alerts.ts';
import { audit } from './audit/audit.ts';
import { billingInformation } from './billing/billing-information/billing-information.ts';
import type { InvoiceOfPayment } from './billing/credits/credits.service.ts';
import { credits } from './billing/credits/credits.ts';
import type { FindLivePayment } from './billing/invoices/invoices.service.ts';
import { invoices } from './billing/invoices/invoices.ts';
import { items } from './billing/items/items.ts';
import { numbering } from './billing/numbering/numbering.ts';
import { billingPreviews } from './billing/previews/previews.ts';
import { billingRuns } from './billing/runs/runs.ts';
import { usageThresholds } from './billing/thresholds/thresholds.ts';
import type { ChargesHold } from './continuity/hold/charges-hold.service.ts';
import type { Journal } from './continuity/journal/journal.service.ts';
import { addresses } from './customers/addresses/addresses.ts';
import type { IsCurrencyInUse } from './customers/companies/companies.service.ts';
import { billingSettings } from './customers/companies/companies.settings.ts';
import { documents } from './documents/documents.ts';
import type { Gateways } from './gateways/gateways.ts';
import { accounts } from './identity/accounts/accounts.ts';
import type { ApiKeys } from './identity/api-keys/api-keys.service.ts';
import { apiKeys } from './identity/api-keys/api-keys.ts';
import type { RecheckCompany } from './identity/companies/companies.service.ts';
import { company } from './identity/company/company.ts';
import { customerSessions } from './identity/customer-sessions/customer-sessions.ts';
import { email } from './identity/email/email.ts';
import type { AllowedOrigins } from './identity/integration/integration.service.ts';
import { integration } from './identity/integration/integration.ts';
import { invitations } from './identity/invitations/invitations.ts';
import { login } from './identity/login/steps/login.ts';
import { mailSettings } from './identity/mail-settings/mail-settings.ts';
import { members } from './identity/members/members.ts';
import { operatorInvitations } from './identity/operator-invitations/operator-invitations.ts';
import { operatorSessions } from './identity/operator-sessions/operator-sessions.ts';
import type { OperatorKeys } from './identity/operators/operators.service.ts';
import { operators } from './identity/operators/operators.ts';
import { passkeys } from './identity/passkeys/passkeys.ts';
import { passwordChange } from './identity/password-change/change.ts';
import type { PasswordCost } from './identity/passwords/password.ts';
import { profile } from './identity/profile/profile.ts';
import { signInProviders } from './identity/providers/providers.ts';
import { roles } from './identity/roles/roles.ts';
import { secondFactor } from './identity/second-factor/second-factor.ts';
import type { TokenAuthentication } from './identity/sessions/authentication.ts';
import type { OtherTokens } from './identity/sessions/sessions.service.ts';
import { sessions } from './identity/sessions/sessions.ts';
import { companySettings } from './identity/settings/settings.ts';
import { staff } from './identity/staff/staff.ts';
import type { LockMembers } from './labels/assignments/assignments.service.ts';
import { labelAssignments } from './labels/assignments/assignments.ts';
import { labels } from './labels/labels.ts';
import { feesAndPayouts } from './ledger/fees-and-payouts/fees-and-payouts.ts';
import { ledger } from './ledger/ledger.ts';
import { postingsOfActions } from './ledger/postings/postings.ts';
import type { MailTopics } from './mail/mail.service.ts';
import { mail } from './mail/mail.ts';
import type { FindBilledWithUsage } from './metering/prices/prices.service.ts';
import { prices } from './metering/prices/prices.ts';
import { unattributedUsage } from './metering/usage/unattributed/unattributed.ts';
import type { FindPeriodsSince } from './metering/usage/usage.service.ts';
import { usage } from './metering/usage/usage.ts';
import { cardSetups } from './methods/card-setups/card-setups.ts';
import { cardTesting } from './methods/card-testing/card-testing.ts';
import { cards } from './methods/cards/cards.ts';
import { paypalAccounts } from './methods/paypal-accounts/paypal-accounts.ts';
import type { DescribeCustomer, DetachDeleted, ReleaseSource } from './methods/saved/saved.service.ts';
import { companies } from './operator-lists/companies/companies.ts';
import { operatorLists } from './operator-lists/operator-lists.ts';
import { operatorOverview } from './operator-lists/overview/overview.ts';
import { events } from './outbox/events/events.ts';
import { webhooks } from './outbox/webhooks/webhooks.ts';
import { invoiceAttempts } from './payments/attempts/attempts.ts';
import { collection } from './payments/collection/collection.ts';
import { detachedSources } from './payments/detach/detach.feature.ts';
import { disputes } from './payments/disputes/disputes.ts';
import { gatewayCustomers } from './payments/gateway-customers/gateway-customers.feature.ts';
import { hostedPage } from './payments/hosted-page/hosted-page.ts';
import { invoiceLists } from './payments/invoices/invoices.ts';
import { invoiceLinkUrl, type LinkSettings } from './payments/links/links.service.ts';
import { invoiceLinks } from './payments/links/links.ts';
import { paymentMails } from './payments/mails/payment-mails.feature.ts';
import { overview } from './payments/overview/overview.ts';
import { payments } from './payments/payments.ts';
import { refunds } from './payments/refunds/refunds.ts';
import type { Clock } from './platform/calendar/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { Db } from './platform/database/database.ts';
import type { NameParts } from './platform/database/name-parts.ts';
import type { Feature, MarkKind } from './platform/feature/feature.ts';
import type { MailCatalogue, MailTopic } from './platform/feature/mail-declaration.ts';
import type { ExternalIds } from './platform/http/company-ids/external-ids.ts';
import type { WebhookCatalogue } from './platform/http/openapi/openapi-webhooks.ts';
import { jobs } from './platform/jobs/jobs.ts';
import type { Keyring } from './platform/keys/keys.ts';
import type { JobTable } from './platform/queue/job-table.ts';
import { recovery } from './recovery/recovery.ts';
import { seller } from './seller/seller.ts';

/** What features may ask for, wherever they work. */
export type ServiceContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  gateways: Gateways;
  clock: Clock;
  logger: Logger;
  chargesHold: ChargesHold;
  externalIds: ExternalIds;
  /** What the events of all features hold. */
  eventData: readonly TSchema[];
  /** Null only in tests of other things. */
  journal: Journal | null;
};

/** What their background work may ask for beside it. */
export type WorkContext = ServiceContext & {
  findPeriodsSince: FindPeriodsSince;
  /** The mails about money of all features. */
  mails: MailCatalogue;
};

/** What their routes may ask for beside it. */
export type RouteContext = WorkContext & {
  tokens: TokenAuthentication;
  operatorKeys: OperatorKeys;
  recheckCompany: RecheckCompany;
  apiKeys: ApiKeys;
  allowedOrigins: AllowedOrigins;
  otherTokens: readonly OtherTokens[];
  /** Finds the payment of an invoice that runs or has paid it. */
  findLivePayment: FindLivePayment;
  invoiceOfPayment: InvoiceOfPayment;
  /** For the lists of domains that know neither companies nor invoices. */
  nameParts: NameParts;
  /** What mails need to know of invoices and companies. */
  mailTopics: MailTopics;
  isCurrencyInUse: IsCurrencyInUse;
  lockMembers: LockMembers;
  findBilledWithUsage: FindBilledWithUsage;
  /** Detaches deleted cards and accounts at their gateways. */
  detachDeleted: DetachDeleted;
  describeCustomer: DescribeCustomer;
  /** Draws the PDF of an invoice. */
  drawInvoice: (companyId: string, invoiceId: string) => Promise<Uint8Array>;
  releaseSource: ReleaseSource;
  /** Of new passwords. */
  passwordCost: PasswordCost;
  /** All types of events that the features declare. */
  eventTypes: readonly string[];
  /** The tables of the jobs of all features. */
  jobTables: readonly JobTable[];
};

/** All features, in the order in which the API reference shows them. */
export const FEATURES: readonly Feature<RouteContext, WorkContext>[] = [
  accounts,
  login,
  sessions,
  secondFactor,
  passkeys,
  email,
  profile,
  passwordChange,
  cardSetups,
  cards,
  paypalAccounts,
  billingInformation,
  invoices,
  invoiceLists,
  overview,
  documents,
  invoiceAttempts,
  invoiceLinks,
  hostedPage,
  payments,
  addresses,
  labels,
  labelAssignments,
  company,
  members,
  invitations,
  operatorInvitations,
  companySettings,
  roles,
  apiKeys,
  companies,
  customerSessions,
  operatorSessions,
  integration,
  billingSettings,
  mailSettings,
  audit,
  credits,
  refunds,
  disputes,
  operatorLists,
  operatorOverview,
  ledger,
  feesAndPayouts,
  postingsOfActions,
  prices,
  usage,
  unattributedUsage,
  usageThresholds,
  billingRuns,
  billingPreviews,
  items,
  seller,
  numbering,
  jobs,
  alerts,
  operators,
  staff,
  signInProviders,
  mail,
  events,
  webhooks,
  collection,
  paymentMails,
  cardTesting,
  detachedSources,
  gatewayCustomers,
  recovery,
];

/** All types of events, as their features declare them. */
export const EVENT_CATALOGUE: WebhookCatalogue = Object.assign({}, ...FEATURES.map(({ events }) => events));

/** The mails about money of all features; this context draws their files and links to their invoices. */
export function openMails(context: Omit<WorkContext, 'mails'>): MailCatalogue {
  const mails: Record<string, MailCatalogue[string]> = {};
  const whole: WorkContext = { ...context, mails };
  for (const [type, mail] of FEATURES.flatMap((feature) => Object.entries(feature.mails ?? {}))) {
    const { draw, ...others } = mail;
    const linked = { ...others, link: (topic: MailTopic) => linkOf(context, topic) };
    mails[type] = draw === undefined ? linked : { ...linked, draw: (_, topic, index) => draw(whole, topic, index) };
  }
  return mails;
}

async function linkOf(context: LinkSettings & { db: Db }, { companyId, invoiceId }: MailTopic): Promise<string | null> {
  return invoiceId === null ? null : invoiceLinkUrl(context.db, context, companyId, invoiceId);
}

/** The tables of the jobs of all features. */
export const JOB_TABLES: readonly JobTable[] = FEATURES.flatMap(({ jobTables }) => jobTables ?? []);

/** What events hold, each as its feature declares it. */
export const EVENT_DATA: readonly TSchema[] = Object.values(EVENT_CATALOGUE).map(({ data }) => data);

/** The kinds of marks that the features record, with what the journal keeps of each. */
export const JOURNALED: Readonly<Record<string, MarkKind>> = Object.assign(
  {},
  ...FEATURES.map(({ journaled }) => journaled),
);
