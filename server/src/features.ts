import type { Logger } from 'pino';
import type { TokenAuthentication } from './accounts/accounts.authentication.ts';
import type { PasswordCost } from './accounts/accounts.password.ts';
import { accounts } from './accounts/accounts.ts';
import { addresses } from './addresses/addresses.ts';
import { alerts } from './alerts/alerts.ts';
import { billingInformation } from './billing-information/billing-information.ts';
import { billingPreviews } from './billing-previews/billing-previews.ts';
import { billingRuns } from './billing-runs/billing-runs.ts';
import { cardTesting } from './card-testing/card-testing.ts';
import { cards } from './cards/cards.ts';
import type { ChargesHold } from './charges-hold.ts';
import type { Clock } from './clock.ts';
import { collection } from './collection/collection.ts';
import { companies } from './companies/companies.ts';
import type { Config } from './config.ts';
import { credits } from './credits/credits.ts';
import type { Db } from './database/database.ts';
import { disputes } from './disputes/disputes.ts';
import { events } from './events/events.ts';
import type { Feature } from './feature.ts';
import { detachedSources } from './gateways/gateways.feature.ts';
import type { Gateways } from './gateways/gateways.ts';
import type { WebhookCatalogue } from './http/openapi-webhooks.ts';
import { invoiceAttempts } from './invoice-attempts/invoice-attempts.ts';
import { invoices } from './invoices/invoices.ts';
import { items } from './items/items.ts';
import { jobs } from './jobs/jobs.ts';
import type { Keyring } from './keys/keys.ts';
import { labels } from './labels/labels.ts';
import { ledger } from './ledger/ledger.ts';
import { numbering } from './numbering/numbering.ts';
import { operatorLists } from './operator-lists/operator-lists.ts';
import { payments } from './payments/payments.ts';
import { paypalAccounts } from './paypal-accounts/paypal-accounts.ts';
import { prices } from './prices/prices.ts';
import { refunds } from './refunds/refunds.ts';
import { seller } from './seller/seller.ts';
import { usage } from './usage/usage.ts';
import { usageThresholds } from './usage-thresholds/usage-thresholds.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** What features may ask for, wherever they work. */
export type ServiceContext = {
  config: Config;
  db: Db;
  keyring: Keyring;
  gateways: Gateways;
  clock: Clock;
  logger: Logger;
  /** Why charges are held; null while they are not. */
  chargesHold: ChargesHold | null;
};

/** What their routes may ask for beside it. */
export type RouteContext = ServiceContext & {
  tokens: TokenAuthentication;
  /** Of new passwords. */
  passwordCost: PasswordCost;
  /** All types of events that the features declare. */
  eventTypes: readonly string[];
};

/** All features, in the order in which the API reference shows them. */
export const FEATURES: readonly Feature<RouteContext, ServiceContext>[] = [
  accounts,
  cards,
  paypalAccounts,
  billingInformation,
  invoices,
  invoiceAttempts,
  payments,
  addresses,
  labels,
  companies,
  credits,
  refunds,
  disputes,
  operatorLists,
  ledger,
  prices,
  usage,
  usageThresholds,
  billingRuns,
  billingPreviews,
  items,
  seller,
  numbering,
  jobs,
  alerts,
  events,
  webhooks,
  collection,
  cardTesting,
  detachedSources,
];

/** All types of events, as their features declare them. */
export const EVENT_CATALOGUE: WebhookCatalogue = Object.assign({}, ...FEATURES.map(({ events }) => events));
