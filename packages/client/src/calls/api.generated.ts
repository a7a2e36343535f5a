// Made from docs/openapi.json by `npm run openapi`. Not edited by hand.

import type { List, RequestOptions } from './types.ts';

export type AcceptanceBody = {
  /** The token of the link in the mail. */
  token: string;
  /** Required without an access token, and ignored with one. */
  first_name?: string;
  /** Required without an access token, and ignored with one. */
  last_name?: string;
  /** The password must have more than 8 characters, at most 256 bytes, an uppercase letter, a lowercase letter, a digit and a special character. A sign-up refuses common and breached passwords, and passwords that consist of the e-mail address or the name. */
  password?: string;
};

export type AccountDeletionBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type ActionPosting = {
  /** As in `GET /operator/ledger`. */
  account: string;
  currency: string;
  /** Null if the account is credited. */
  debit: string | null;
  /** Null if the account is debited. */
  credit: string | null;
};

export type ActionPostings = {
  data: ActionPosting[];
  /** What would be due on the invoice afterwards. */
  amountDue: string;
};

export type Address = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  firstName: string;
  lastName: string;
  streetAddress: string;
  aptNumber: string;
  state: string;
  country: string;
  zipCode: string;
  createdAt: string;
  updatedAt: string;
};

export type AddressBody = {
  firstName?: string;
  lastName?: string;
  streetAddress?: string;
  aptNumber?: string;
  state?: string;
  zipCode?: string;
  country?: string;
};

export type AddressCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'address.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Address;
};

export type AddressDeletedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'address.deleted';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Address;
};

export type AddressList = Address[];

export type AddressUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'address.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Address;
};

export type AdoptBody = {
  /** Assigns the records of a company that is not in the database to another company. Cases that were left to a person for that reason are processed again. */
  companies?: CompanyReplacement[];
  /** The maximum number of cases to process; 1000 when absent. */
  limit?: number;
};

export type Adopted = {
  /** The cases that this pass processed, the oldest charge or refund first. */
  decided: DecidedCase[];
  /** The number of open cases that are left. Send the same request again until it is 0. */
  remaining: number;
};

export type Alert = {
  id: string;
  /** The company that the alert is about. Null for an alert that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The kind of alert: `payment_mismatch`, `payment_unresolved`, `payment_captured_after_failure`, `refund_mismatch`, `refund_unresolved`, `refund_refused`, `gateway_unauthorized`, `gateway_not_configured`, `refunded_at_gateway`, `refund_failed_at_gateway`, `disputed_at_gateway`, `dispute_mismatch`, `card_testing_suspected`, `charges_held`, `recovery_review`, `awaiting_release`, `mail_given_up`, `mail_without_recipient`, `unattributed_usage`. Later versions may add kinds. */
  kind: string;
  /** The payment that the alert is about. Null for an alert that is about no payment, such as one about cards that were refused while they were saved. */
  paymentId: string | null;
  /** The invoice that the alert is about. Null for an alert that is about no invoice. */
  invoiceId: string | null;
  /** What happened and what to check, for people. */
  message: string;
  /** When a person acknowledged the alert. Null while it is open. */
  acknowledgedAt: string | null;
  createdAt: string;
};

export type AlertCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'alert.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Alert;
};

export type AlertList = {
  total: number;
  page: number;
  perPage: number;
  data: Alert[];
};

/** Any JSON value, except texts and names that contain U+0000. */
export type AnyValue = unknown;

export type ApiKey = {
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  permission: Permissions;
  created_by: ApiKeyCreator;
  created_at: string;
  /** When the key was last used, to the minute. Null until the first use. */
  last_used_at: string | null;
  /** When the key expires. Null for a key that does not expire. */
  expires_at: string | null;
  /** The IP addresses and ranges that may use the key. An empty list stands for all addresses. */
  allowed_ips: string[];
};

export type ApiKeyBody = {
  /** Who or what uses the key. The audit log shows the name. */
  name: string;
  permission: PermissionsBody;
  /** When the key expires, which must be in the future. Null or absent for a key that does not expire. */
  expires_at?: string | null;
  /** The IP addresses and ranges (CIDR) that may use the key. Absent or empty stands for all addresses. */
  allowed_ips?: string[];
};

export type ApiKeyCreator = {
  id: string;
  /** The first and last name of the creator. */
  name: string;
};

export type ApiKeyList = {
  total: number;
  page: number;
  per_page: number;
  data: ApiKey[];
};

export type AssignedLabel = {
  id: string;
  name: string;
  color: string;
};

/** Who made the change or the login. */
export type AuditActor = {
  kind: 'user' | 'api_key' | 'customer_session' | 'operator_key' | 'staff' | 'system' | 'command_line' | 'anonymous';
  /** The id of the actor; of a customer session the id of its person in your product, or its own. Null for an actor without an id, such as the system. */
  id: string | null;
  /** The name of the actor. Empty once the account is deleted. */
  name: string;
  /** Of a customer session: the name of the operator key that opened it. */
  key?: string;
  /** The IP address of the request. Null for background work. */
  ip: string | null;
  /** The `User-Agent` of the request, at most 255 characters. */
  user_agent: string | null;
};

export type AuditEntry = {
  id: string;
  /** The position of the entry in its chain, from 1 and without a gap. */
  sequence: number;
  at: string;
  /** The kind of the object and what happened to it. Later versions may add actions. */
  action: 'address.created' | 'address.deleted' | 'address.updated' | 'alert.acknowledged' | 'api_key.created' | 'api_key.deleted' | 'billing_information.updated' | 'billing_run.created' | 'billing_settings.updated' | 'card.created' | 'card.deleted' | 'card.updated' | 'company.created' | 'company.updated' | 'company.view_ended' | 'company.viewed' | 'company_settings.updated' | 'credit.granted' | 'credit_note.created' | 'customer_session.created' | 'customer_session.deleted' | 'integration.updated' | 'invitation.accepted' | 'invitation.created' | 'invitation.deleted' | 'invitation.resent' | 'invoice.created' | 'invoice.voided' | 'invoice_link.replaced' | 'invoice_link.revoked' | 'item.created' | 'item.deleted' | 'journal.declared_lost' | 'journal.lines_added' | 'label.assigned' | 'label.created' | 'label.deleted' | 'label.unassigned' | 'label.updated' | 'label_assignments.updated' | 'login.failed' | 'login.succeeded' | 'mail.resent' | 'mail_settings.updated' | 'member.created' | 'member.deleted' | 'member.sessions_ended' | 'member.updated' | 'numbering.updated' | 'operator_key.created' | 'operator_key.deleted' | 'passkey.created' | 'passkey.deleted' | 'passkey.updated' | 'payment.accepted' | 'payment.created' | 'payment.dispute_resynced' | 'payment.refunds_resynced' | 'payment.resolved' | 'paypal_account.created' | 'paypal_account.deleted' | 'paypal_account.updated' | 'price.created' | 'price.deleted' | 'price.ended' | 'recovery.adopted' | 'recovery.released' | 'recovery_codes.deleted' | 'recovery_codes.replaced' | 'recovery_refund.created' | 'refund.created' | 'refund.resolved' | 'role.created' | 'role.deleted' | 'role.updated' | 'seller.updated' | 'session.ended' | 'session.reuse_detected' | 'sign_in_provider.created' | 'sign_in_provider.deleted' | 'sign_in_provider.updated' | 'staff.created' | 'staff.deleted' | 'staff.reinvited' | 'staff.updated' | 'totp.disabled' | 'totp.enabled' | 'unattributed_usage.deleted' | 'usage_threshold.created' | 'usage_threshold.deleted' | 'user.deleted' | 'user.email_change_canceled' | 'user.email_change_requested' | 'user.email_changed' | 'user.email_verified' | 'user.linked' | 'user.password_changed' | 'user.password_reset' | 'user.signed_up' | 'user.unlinked' | 'user.updated' | 'webhook_endpoint.created' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rotated' | 'webhook_endpoint.updated';
  /** The object that was changed. Null for an action that changes no object. The name of a user is empty once the account is deleted. */
  target: {
    kind: string;
    id: string | null;
    name: string;
  } | null;
  /** The values of the changed fields before and after, under their names in the API. Secrets are left out. Null if no field was changed. */
  changes: {
    before: Record<string, unknown>;
    after: Record<string, unknown>;
  } | null;
  actor: AuditActor;
  /** The `X-Request-Id` of the request. Null for background work. */
  request_id: string | null;
  /** The hash of the entry before it. Null for the first entry of a chain. */
  previous_hash: string | null;
  /** SHA-256, in hexadecimal digits, over the entry and the hash of the entry before it. */
  hash: string;
};

export type AuditEntryList = {
  total: number;
  page: number;
  per_page: number;
  data: AuditEntry[];
};

export type AuditProblem = {
  /** The company whose chain has the entry. Null for the chain of the entries that concern no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The position of the entry in its chain. */
  sequence: number;
  /** `missing`: the entry is missing. `changed`: the content of the entry does not match its hash. `link`: the entry does not contain the hash of the entry before it. `head`: the chain ends with this entry, but Paydesk has recorded another end. */
  problem: 'missing' | 'changed' | 'link' | 'head';
};

export type AuditVerification = {
  /** How many entries this answer covers. */
  checked: number;
  problems: AuditProblem[];
  /** The `cursor` of the next request. Null once all chains were checked. */
  nextCursor: string | null;
};

export type AuthAnswer = {
  error: null;
  data: AuthData;
};

export type AuthData = {
  /** The access token. Send it as `Authorization: Bearer <access_token>`. */
  access_token: string;
  /** How many seconds the access token is valid. */
  expires_in: number;
  /** The token for `POST /auth/refresh`, which works once. Keep it secret, like a password. With `?session=` it is in a cookie instead. */
  refresh_token?: string;
  user: UserProfile;
};

/** The passkey, as its `toJSON()` returns it in the browser (`AuthenticationResponseJSON` of WebAuthn). */
export type AuthenticationResponseJSON = {
  id: string;
  /** The same value as `id`. */
  rawId: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
};

export type BackgroundJob = {
  /** The id of the job. It stays the same until the job is done. */
  id: string;
  /** The kind of work, which is also the name of its queue in the metrics. */
  kind: string;
  /** The company that the job is about. Null for a job that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The id of the record that the job is about. For `collections`, that is the invoice, and for `usage_thresholds` the company. For `webhooks`, the value is `endpointId/eventId`, for `gateway_events` it is `gateway/eventId`, and for `schedules` it is the name of the schedule. */
  record: string;
  /** `due`: a worker is about to do the job. `late`: the job has been due for more than a minute. `running`: a process is doing the job. `failing`: the last attempt failed, and Paydesk will repeat the job. */
  state: 'due' | 'running' | 'late' | 'failing';
  /** How many attempts have failed so far. */
  attempts: number;
  /** The message of the latest error, without the values that it contained. Null if no attempt has failed. The log has the whole error. */
  error: string | null;
  /** When the next attempt is, or was, due. Null while the job runs. */
  nextAttemptAt: string | null;
};

export type BeginTotpBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type BillingInformation = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The id of the company's default card. Null while the company has no default card. */
  paymentId: string | null;
  /** The method of the company's default card, which is `Card`. Empty while the company has no default card. */
  paymentMethod: string;
  /** Credit in the billing currency, which the next payment uses before it charges a card. */
  inStoreCredit: number;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  country: string;
  address: string;
  zipCode: string;
  /** `zipCode` as a number if it has only digits, else null. */
  postalCode: number | null;
  province: string;
  city: string;
  organization: string;
  taxId: string;
  createdAt: string;
  updatedAt: string;
};

export type BillingInformationBody = {
  firstName?: string;
  lastName?: string;
  phoneNumber?: string;
  country?: string;
  address?: string;
  zipCode?: string;
  province?: string;
  city?: string;
  organization?: string;
  taxId?: string;
};

export type BillingInformationChange = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** Who made the correction: always `operator`. */
  changedBy: string;
  /** The values of the changed fields before the correction. */
  before: Record<string, string>;
  /** The values of the same fields after the correction. */
  after: Record<string, string>;
  createdAt: string;
};

export type BillingInformationChangeList = {
  total: number;
  page: number;
  perPage: number;
  data: BillingInformationChange[];
};

export type BillingInformationUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'billing_information.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: BillingInformation;
};

export type BillingPreview = {
  id: string;
  period: string;
  status: 'running' | 'done';
  /** The number of companies when the preview began. */
  companies: number;
  /** The number of companies that are processed. */
  done: number;
  /** The number of companies that cannot be billed; the log says why. */
  failures: number;
  /** The totals of the invoices, by currency. */
  totals: BillingPreviewTotal[];
  outliers: {
    /** The number of invoices that are at least twice as high as in the month before, without tax. */
    higher: number;
    /** The number of invoices whose total without tax is at most half of that of the month before. */
    lower: number;
    /** The number of companies that have an invoice for the month before and would get none. */
    gone: number;
  };
  /** Paths without a price, which would become lines of zero. The first 1,000, ordered by path. */
  unpricedPaths: UnpricedPath[];
  createdAt: string;
  finishedAt: string | null;
};

export type BillingPreviewInvoice = {
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  startAt: string;
  endAt: string;
  method: 'Card' | 'paypal';
  currency: string;
  /** The sum of the lines, without tax. */
  subTotal: string;
  /** The tax at all rates. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The subtotal of the invoice of the month before; null if there was none in the currency. */
  subTotalBefore: string | null;
  /** How the invoice differs from the month before; null if it does not. */
  outlier: 'higher' | 'lower' | 'gone' | null;
  unpricedPaths: string[];
};

export type BillingPreviewInvoiceList = {
  total: number;
  page: number;
  perPage: number;
  data: BillingPreviewInvoice[];
};

export type BillingPreviewTotal = {
  currency: string;
  invoices: number;
  /** The sum of the invoices, without tax. */
  subTotal: string;
  /** The tax at all rates. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The total of the invoices of the month before, without tax. */
  subTotalBefore: string;
};

export type BillingRun = {
  id: string;
  period: string;
  /** A run works in passes over the companies. `waiting`: some companies are not due yet, because their month or its grace time has not ended; the next pass starts automatically. `failed`: all companies are processed, but some could not be billed; start the run again to retry them. */
  status: 'running' | 'waiting' | 'done' | 'failed';
  /** The number of companies. */
  companies: number;
  /** The number of companies that are processed. */
  done: number;
  /** The number of invoices that were issued. */
  invoices: number;
  /** The number of companies without an invoice: they used nothing, or were billed for this time before. */
  skipped: number;
  /** The number of companies that the last pass could not bill; the log says why. The next pass tries them again. */
  failures: number;
  /** The number of passes that have begun. */
  passes: number;
  /** The estimated remaining time of the pass; null if it is not known yet, or if no pass is running. */
  remainingSeconds: number | null;
  /** While the run waits: when the next company is due. The next pass begins within a quarter of an hour after that. */
  nextPassAt: string | null;
  createdAt: string;
  finishedAt: string | null;
  /** Companies that could not be billed: the first 100, ordered by id. */
  failedCompanies: string[];
  /** The companies of `failedCompanies`, each with its name and the reason. */
  failed: FailedCompany[];
  /** Paths that had no price, so their lines are zero: the first 1,000, ordered by path. */
  unpricedPaths: UnpricedPath[];
};

export type BillingRunBody = {
  /** The month to bill. It begins and ends in each company's own time zone. */
  period: string;
};

export type BillingRunList = {
  total: number;
  page: number;
  perPage: number;
  data: BillingRunSummary[];
};

export type BillingRunSummary = {
  id: string;
  period: string;
  /** A run works in passes over the companies. `waiting`: some companies are not due yet, because their month or its grace time has not ended; the next pass starts automatically. `failed`: all companies are processed, but some could not be billed; start the run again to retry them. */
  status: 'running' | 'waiting' | 'done' | 'failed';
  /** The number of companies. */
  companies: number;
  /** The number of companies that are processed. */
  done: number;
  /** The number of invoices that were issued. */
  invoices: number;
  /** The number of companies without an invoice: they used nothing, or were billed for this time before. */
  skipped: number;
  /** The number of companies that the last pass could not bill; the log says why. The next pass tries them again. */
  failures: number;
  /** The number of passes that have begun. */
  passes: number;
  /** The estimated remaining time of the pass; null if it is not known yet, or if no pass is running. */
  remainingSeconds: number | null;
  /** While the run waits: when the next company is due. The next pass begins within a quarter of an hour after that. */
  nextPassAt: string | null;
  createdAt: string;
  finishedAt: string | null;
};

export type BillingSettings = {
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The currency of the company; `USD` until it is set. */
  currency: string;
  /** The tax rate in percent; `0` until it is set. */
  taxRate: string;
  /** Whether the company is exempt from tax now: `exemptWithTaxId` is true, `taxId` has the form of the numbers of `country`, and that is not the seller's country. */
  taxExempt: boolean;
  /** The time zone in which the months of the company begin and end; `UTC` until it is set. */
  timezone: string;
  /** How many days after its issue an invoice is due. A day has 24 hours. A change applies to invoices that are issued later. 0 by default. */
  netDays: number;
  /** Whether Paydesk now charges invoices that are paid by card when they are due. */
  collectsAutomatically: boolean;
  /** What a company pays the invoices of billing runs with. A change applies to invoices that are issued later. `default` stands for the first of these that the company has: the default card, the default PayPal account, or its only PayPal account if it has no card. Otherwise it stands for a card. */
  paymentMethod: 'default' | 'Card' | 'paypal';
  /** The `method` that a billing run would now give an invoice of the company. */
  invoiceMethod: 'Card' | 'paypal';
};

export type BillingSettingsBody = {
  /** What a company pays the invoices of billing runs with. A change applies to invoices that are issued later. `default` stands for the first of these that the company has: the default card, the default PayPal account, or its only PayPal account if it has no card. Otherwise it stands for a card. */
  paymentMethod?: 'default' | 'Card' | 'paypal';
};

export type Card = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The id of an address. */
  addressId: string;
  /** `Card`, or `sepa_debit`: a mandate for direct debits. */
  method: string;
  isDefault: boolean;
  info: CardInfo;
  mandate: CardMandate;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
};

export type CardCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'card.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Card;
};

export type CardDeletedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'card.deleted';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Card;
};

export type CardInfo = {
  country: string;
  expMonth: number;
  expYear: number;
  cardName: string;
  /** The first four digits, asterisks, and the last four digits. Of a card that the gateway took in its own fields, asterisks and the last four digits. Of a mandate, the country of the IBAN, asterisks and its last four characters. */
  cardNumber: string;
  brand: string;
};

export type CardList = CardWithAddress[];

/** By which the holder of an account allows debits; null for cards. */
export type CardMandate = {
  /** Names the mandate on the account statements of its holder. */
  reference: string;
  acceptedAt: string;
} | null;

export type CardSetup = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The gateway whose fields take the number. */
  gateway: string;
  method: string;
  /** What the setup waits for: the card, or the confirmation that the bank asks for. After `succeeded`, `POST /payments/cards` saves the card, and the setup is `used`. It is `expired` 24 hours after its creation unless it was used. */
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'used' | 'expired';
  /** The key with which the script of the gateway is opened in the browser. */
  publishableKey: string;
  createdAt: string;
  expiresAt: string;
};

export type CardUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'card.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Card;
};

export type CardWithAddress = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The id of an address. */
  addressId: string;
  /** `Card`, or `sepa_debit`: a mandate for direct debits. */
  method: string;
  isDefault: boolean;
  info: CardInfo;
  mandate: CardMandate;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  address: Address;
};

export type CaseResolution = {
  /** The decision. */
  outcome: 'accepted' | 'refunded' | 'released';
  /** The gateway of the capture; null after `released`. */
  gateway: string | null;
  /** The gateway's id of the capture. */
  gatewayPaymentId: string | null;
  /** The gateway's id of the refund. */
  gatewayRefundId: string | null;
  /** The amount that became credit, or that was refunded now: 0 if nothing was left to refund. */
  amount: string | null;
  /** The currency of `amount`. */
  currency: string | null;
  /** The company that got the credit, after `accepted`. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The invoice that was charged a second time. */
  invoiceId: string | null;
  /** The payment that records the accepted capture. Its amount is not applied to the invoice. */
  paymentId: string | null;
  /** The number of open invoices that waited and can be charged now. */
  released: number;
  /** The numbers of the request that belong to no invoice awaiting its release. */
  unknown: string[];
};

export type ChargesHeldEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'charges.held';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: ChargesHold;
};

export type ChargesHold = {
  id: string;
  reason: string;
  since: string;
  /** When the hold ended. Null while charges are held. */
  endedAt: string | null;
};

export type ChargesReleasedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'charges.released';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: ChargesHold;
};

export type Company = {
  id: string;
  /** The id that the operator’s product gives the company, unique in the installation. Null until it is set. */
  externalId: string | null;
  name: string;
  phone: string;
  address: string;
  describe: string;
  /** The e-mail address of the company. If it has none, the address of its first admin. Empty without either. */
  email: string;
  /** Texts that the operator keeps with the company. Members cannot read them, but the webhook endpoints of the company get them. */
  metadata: Record<string, string>;
  /** Whether the company is disabled: its members and API keys can read, but not change anything. */
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
};

export type CompanyAmount = {
  currency: string;
  amount: string;
};

export type CompanyCreateBody = {
  /** The id that your product gives the company. Null counts as absent. */
  externalId?: string | null;
  name: string;
  phone?: string;
  address?: string;
  describe?: string;
  email?: string;
  /** Up to 50 texts of your own. A name has at most 40 characters, and a text at most 500. A change replaces all of them. */
  metadata?: Record<string, string>;
  billingInformation?: OperatorBillingInformationBody;
  billingSettings?: OperatorBillingSettingsBody;
  /** Addresses to save. */
  addresses?: OperatorAddressBody[];
};

export type CompanyCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'company.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Company;
};

export type CompanyDetails = {
  id: string;
  /** The id that the operator’s product gives the company, unique in the installation. Null until it is set. */
  externalId: string | null;
  name: string;
  phone: string;
  address: string;
  describe: string;
  /** The e-mail address of the company. If it has none, the address of its first admin. Empty without either. */
  email: string;
  /** Texts that the operator keeps with the company. Members cannot read them, but the webhook endpoints of the company get them. */
  metadata: Record<string, string>;
  /** Whether the company is disabled: its members and API keys can read, but not change anything. */
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** The `organization` of the billing information; empty without one. */
  organization: string;
  /** How many members the company has. */
  members: number;
  /** How many cards the company has saved. */
  cards: number;
  /** How many PayPal accounts the company has saved. */
  paypalAccounts: number;
  /** How many invoices of the company are open. */
  openInvoices: number;
  /** The sum of what is due on the open invoices, in each currency. */
  due: CompanyAmount[];
  /** The part of `due` that is past its due date, in each currency. */
  overdue: CompanyAmount[];
  /** The credit that the next payments use first. */
  credit: CompanyAmount[];
};

export type CompanyList = {
  total: number;
  page: number;
  perPage: number;
  data: ListedCompany[];
};

export type CompanyReplacement = {
  /** A company that the database lacks. A UUID, or `external:` followed by the external id. */
  companyId: string;
  /** The company that gets what belonged to the company that the database lacks. A UUID, or `external:` followed by the external id. */
  newCompanyId: string;
};

export type CompanySettings = {
  /** With true, members without a second factor can do nothing except set one up. You need a second factor of your own to set this. */
  require_second_factor: boolean;
  /** With `sso`, members sign in only through the provider of the company. */
  sign_in: 'password' | 'sso';
  /** The member who can still log in with a password under `sso`. If none is named, the member who sets `sso`. */
  break_glass_member_id: string | null;
};

export type CompanySettingsBody = {
  /** With true, members without a second factor can do nothing except set one up. You need a second factor of your own to set this. */
  require_second_factor?: boolean;
  /** With `sso`, members sign in only through the provider of the company. */
  sign_in?: 'password' | 'sso';
  /** The member who can still log in with a password under `sso`. If none is named, the member who sets `sso`. */
  break_glass_member_id?: string | null;
};

export type CompanyUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'company.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Company;
};

export type CompanyView = {
  /** The access token. Send it as `Authorization: Bearer <access_token>`. */
  access_token: string;
  /** How many seconds the access token is valid. */
  expires_in: number;
  company: ViewedCompany;
};

export type ConfirmTotpBody = {
  /** The code that the authenticator app shows. */
  code: string;
};

export type ConsoleOperator = {
  /** The id of the operator key. */
  id: string;
  /** The name of the operator key. */
  name: string;
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. `integration` is for the backend of your product: companies with their invitations and sessions, usage, and to read prices and invoices. */
  role: 'viewer' | 'finance' | 'admin' | 'integration';
};

export type ConsoleSessionAnswer = {
  error: null;
  data: ConsoleSessionData;
};

export type ConsoleSessionData = {
  /** The access token. Send it as `Authorization: Bearer <access_token>`. */
  access_token: string;
  /** How many seconds the access token is valid. */
  expires_in: number;
  operator: ConsoleOperator;
};

export type CreateCardBody = {
  /** True makes this card the default, which is charged. False when absent. */
  isDefault?: boolean;
  /** The id of a saved address. */
  addressId: string;
  /** The id of a confirmed setup (`POST /payments/card-setups`). Exactly one of `info`, `setupId` and `paymentMethod` is given. */
  setupId?: string;
  /** The id of a card at the gateway (`pm_…` at Stripe) that is the company’s there, or nobody’s. */
  paymentMethod?: string;
  info?: {
    /** The name on the card. It must not contain a card number. */
    cardName: string;
    /** 12 to 19 digits. Spaces and dashes are removed. Paydesk sends the number to the gateway, does not store it, and returns it masked. */
    cardNumber: string;
    expMonth: number;
    /** Four digits, or two digits that stand for 20xx. A card that has expired is refused. */
    expYear: number;
    /** 3 or 4 digits. Paydesk does not store the code and never returns it. */
    cvv: string;
    country: string;
  };
} & ({
  info: {
    /** The name on the card. It must not contain a card number. */
    cardName: string;
    /** 12 to 19 digits. Spaces and dashes are removed. Paydesk sends the number to the gateway, does not store it, and returns it masked. */
    cardNumber: string;
    expMonth: number;
    /** Four digits, or two digits that stand for 20xx. A card that has expired is refused. */
    expYear: number;
    /** 3 or 4 digits. Paydesk does not store the code and never returns it. */
    cvv: string;
    country: string;
  };
} | {
  setupId: string;
} | {
  paymentMethod: string;
});

export type CreateCardSetupBody = {
  /** What is saved: a card, or a mandate for SEPA direct debits. `Card` when absent. */
  method?: 'Card' | 'sepa_debit';
};

export type CreateInvoiceBody = {
  /** The company that owes the invoice. A UUID, or `external:` followed by the external id. */
  companyId: string;
  /** The start of the billing period. */
  startAt: string;
  /** The end of the billing period (exclusive): the next period starts there. */
  endAt: string;
  /** What pays the invoice; `Card` when absent. */
  method?: 'Card' | 'paypal';
  /** The tax rate in percent, as a decimal string; 0 when absent. */
  taxRate?: string;
  details: LineItemBody[];
  /** Your own id for the debt, unique in the company forever. If the same request is sent again, the response is 200 with the existing invoice, even if the idempotency key has expired. A different body with the same reference is answered with 409 `reference_taken`. */
  reference?: string;
  /** Your own data, returned as it was sent; at most 16 KiB. Send numbers beyond 9007199254740991 as text. */
  metadata?: Record<string, AnyValue> | null;
};

export type CreateLabelBody = {
  /** The name is unique in the company. Upper and lower case count as the same, and ß counts as ss. */
  name: string;
  description: string;
  /** A hexadecimal colour of 3, 4, 6 or 8 digits, with or without #. It is returned as it was sent. */
  color: string;
  /** The name of the person who makes the change. It is kept as `createdBy` and `updatedBy`. */
  userName: string;
};

export type CreateOperatorWebhookEndpointBody = {
  /** The address that events are sent to: https on port 443 or 8443, at a public address, without a user or a password. A host in `WEBHOOK_ALLOWED_HOSTS` may have any address and port, and use http. */
  url: string;
  description?: string;
  /** The types of event that the endpoint gets, such as `invoice.created`, or groups of types, such as `invoice.*`. An empty list stands for all types. */
  types?: EventFilter[];
};

export type CreatePasskeyBody = {
  /** The name that the user gives the passkey. */
  name: string;
  passkey: RegistrationResponseJSON;
};

export type CreatePaypalAccountBody = {
  /** The token that PayPal issues when the holder agrees to be charged. Paydesk exchanges it once, does not store it and never returns it. */
  setupToken: string;
  /** True makes this account the default, which is charged for invoices of the method `paypal`. False when absent. */
  isDefault?: boolean;
};

export type CreatePriceBody = {
  /** A path such as /v1/transcriptions, or a prefix that ends with *: /v1/* matches every path that begins with /v1/, and * matches every path. */
  path: string;
  /** The title of the invoice line. */
  title: string;
  /** The currency, as a code of ISO 4217. A company is billed by the prices in its own currency. */
  currency: string;
  /** Makes the price an override for this company, which beats every matching general price. A UUID, or `external:` followed by the external id. */
  companyId?: string | null;
  /** When the price begins: an instant on a whole hour of UTC, or a month such as `2026-10`. A month begins for each company with its own billing period, in its time zone. */
  effectiveFrom: string;
  /** When the price ends (exclusive): an instant or a month. When absent: the price ends when the next version begins. */
  effectiveTo?: string | null;
  /** `flat`: each request costs the same. `package`: requests are sold in packages. `graduated`: each request costs the price of the tier that it falls into. `volume`: all requests cost the price of the tier that the last request falls into. */
  model: 'flat' | 'package' | 'graduated' | 'volume';
  /** With `flat`: the price of each request. A decimal string in major units, with up to 12 decimals. */
  unitAmount?: string;
  /** With `package`: the price of each package. A package that is only partly used is charged in full. A decimal string in major units, with up to 12 decimals. */
  packageAmount?: string;
  /** With `package`: the number of requests in a package. */
  packageSize?: number;
  /** The tiers, with `graduated` and `volume`. */
  tiers?: PriceTierBody[];
  /** The number of free requests in each billing period and for each version. Tiers and packages count only the requests after them. 0 when absent. */
  freeRequests?: number;
  /** For a prefix. True: the requests of all matching paths are counted together, as one invoice line whose path is the prefix. False: each path is rated by itself. False when absent. */
  pooled?: boolean;
} & ({
  model: 'flat';
  packageAmount?: never;
  packageSize?: never;
  tiers?: never;
  unitAmount: string;
} | {
  model: 'package';
  unitAmount?: never;
  tiers?: never;
  packageAmount: string;
  packageSize: number;
} | {
  model: 'graduated';
  unitAmount?: never;
  packageAmount?: never;
  packageSize?: never;
  tiers: PriceTierBody[];
} | {
  model: 'volume';
  unitAmount?: never;
  packageAmount?: never;
  packageSize?: never;
  tiers: PriceTierBody[];
});

export type CreateRoleBody = {
  /** The name is unique in the company, and must not be that of a system role. Upper and lower case count as the same, and ß counts as ss. */
  name: string;
  description?: string;
  permission: PermissionsBody;
};

export type CreateWebhookEndpointBody = {
  /** The address that events are sent to: https on port 443 or 8443, at a public address, without a user or a password. */
  url: string;
  description?: string;
  /** The types of event that the endpoint gets, such as `invoice.created`, or groups of types, such as `invoice.*`. An empty list stands for all types. */
  types?: EventFilter[];
};

export type CreatedCardSetup = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The gateway whose fields take the number. */
  gateway: string;
  method: string;
  /** What the setup waits for: the card, or the confirmation that the bank asks for. After `succeeded`, `POST /payments/cards` saves the card, and the setup is `used`. It is `expired` 24 hours after its creation unless it was used. */
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'used' | 'expired';
  /** Lets the browser of the company confirm this setup, and nothing else. Paydesk does not show it again. */
  clientSecret: string;
  /** The key with which the script of the gateway is opened in the browser. */
  publishableKey: string;
  createdAt: string;
  expiresAt: string;
};

export type CreditEntry = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The position of the entry among the company's entries, from 1 without a gap. */
  number: number;
  /** `grant` and `correction`: the operator granted or corrected credit. A billing run makes a `grant` too, whose `reason` names the invoice, if late usage or items lower an invoice below zero. `consumption`: a payment used credit. `return`: a failed payment returned its credit. `refund`: a refund returned credit. `overpayment`: a gateway captured more than was due. */
  kind: 'grant' | 'correction' | 'consumption' | 'return' | 'refund' | 'overpayment';
  /** The change of the balance: negative when credit is used. */
  amount: string;
  /** The company's credit after this entry. */
  balance: string;
  currency: string;
  /** The reason of the entry; empty if a payment made it. */
  reason: string;
  /** The payment that used the credit, or that returned it when it failed or was refunded. */
  paymentId: string | null;
  /** The invoice of the payment that `paymentId` names. */
  invoiceId: string | null;
  createdAt: string;
};

export type CreditLedger = {
  total: number;
  page: number;
  perPage: number;
  /** The sum of all entries, which is also the company's `inStoreCredit`. */
  balance: string;
  currency: string;
  data: CreditEntry[];
};

export type CreditNote = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the credit note, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  invoiceId: string;
  invoiceNumber: string;
  /** Why the invoice is corrected, for the books. */
  reason: string;
  currency: string;
  /** The tax rate of the invoice; empty if the invoice has several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  /** The credited lines; empty if an `amount` was credited. */
  details: CreditNoteLine[];
  subTotal: string;
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** False: the credit note lowers the amount to pay. True: the invoice was paid before, and the money has to be refunded. */
  afterPayment: boolean;
  createdAt: string;
};

export type CreditNoteBody = {
  /** Why the invoice is corrected, for the books. */
  reason: string;
  /** The amount to credit, including tax, with no more decimals than the currency has. */
  amount?: string | number;
  /** The lines to credit, without tax; the tax is added at the invoice's rate. */
  details?: CreditNoteLineBody[];
  /** Your own id for the credit note, unique in the company forever. If the same request is sent again, the response is 200 with the existing credit note. A different body, or another invoice, with the same reference is answered with 409 `reference_taken`. */
  reference?: string;
} & ({
  amount: string | number;
} | {
  details: CreditNoteLineBody[];
});

export type CreditNoteCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'credit_note.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: CreditNote;
};

export type CreditNoteLine = {
  title: string;
  amount: number;
  /** The tax rate that was sent with the line, if any. */
  taxRate?: string;
};

export type CreditNoteLineBody = {
  title: string;
  /** The amount without tax, rounded once, half away from zero. A line may be negative, but the sum of all lines may not. */
  amount: string | number;
  /** One of the invoice's tax rates; required if the invoice has several. */
  taxRate?: string;
};

export type CreditNoteList = {
  total: number;
  page: number;
  perPage: number;
  data: CreditNote[];
};

export type CustomerSession = {
  id: string;
  /** The person, as the request named them. Null if it named nobody. */
  user: {
    id: string;
    name?: string;
    email?: string;
  } | null;
  permission: Permissions;
  returnUrl: string | null;
  /** The name of the operator key, or of the one of the staff, that opened the session. */
  key: string;
  createdAt: string;
  expiresAt: string;
};

export type CustomerSessionAnswer = {
  error: null;
  data: CustomerSessionData;
};

export type CustomerSessionBody = {
  user?: CustomerSessionUserBody;
  permission?: PermissionsOfSessionBody;
  /** How many seconds the session lasts: an hour if absent. */
  expiresIn?: number;
  /** A page of your product, to which the dashboard links back. Its origin is one of `PUT /operator/integration`. */
  returnUrl?: string;
};

export type CustomerSessionData = {
  /** The access token. Send it as `Authorization: Bearer <access_token>`. */
  access_token: string;
  /** How many seconds the access token is valid. */
  expires_in: number;
  /** The token for `POST /auth/refresh`, which works once. Keep it secret, like a password. With `?session=` it is in a cookie instead. */
  refresh_token?: string;
  /** The page of the operator’s product to lead back to. Null without one. */
  return_url: string | null;
  permission: Permissions;
  /** The name of the user whom the product has named. Empty without one. */
  name: string;
};

export type CustomerSessionList = {
  total: number;
  page: number;
  perPage: number;
  data: CustomerSession[];
};

export type CustomerSessionUserBody = {
  /** The id that your product has for the person. */
  id: string;
  name?: string;
  /** An e-mail address. Upper and lower case count as the same. */
  email?: string;
};

export type DecidedCase = {
  id: string;
  state: 'done' | 'person';
  /** What was done. If a person has to decide, it says what is known and which command carries out each decision. */
  note: string;
};

export type DeleteLabelsBody = {
  /** Ids that name no label of the company are ignored. */
  label_ids: string[];
};

export type DeletePasskeyBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type DeleteSignInLinkBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type DisableTotpBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
  /** The code that the authenticator app shows, or a recovery code. */
  code: string;
};

export type Dispute = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  paymentId: string;
  invoiceId: string;
  gateway: string;
  /** The id of the dispute at the gateway, where it is answered. A dispute about several payments appears once for each payment, with the same id. */
  gatewayDisputeId: string;
  /** `NeedsResponse`: the bank waits for evidence, which is submitted at the gateway. `UnderReview`: the bank is deciding. `Won`, `Lost`: the bank has decided. `Closed`: the dispute ended in another way, for example an inquiry that was dropped. */
  status: 'NeedsResponse' | 'UnderReview' | 'Won' | 'Lost' | 'Closed';
  /** The disputed amount. */
  amount: string;
  /** The amount that the gateway has withdrawn for the dispute and not returned. It cannot be refunded meanwhile. */
  withdrawnAmount: string;
  currency: string;
  /** The reason as the gateway names it. */
  reason: string;
  openedAt: string;
  createdAt: string;
  updatedAt: string;
};

export type DisputeClosedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'dispute.closed';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Dispute;
};

export type DisputeCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'dispute.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Dispute;
};

export type DisputeList = {
  total: number;
  page: number;
  perPage: number;
  data: ListedDispute[];
};

export type DisputeUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'dispute.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Dispute;
};

export type EmailChangeBody = {
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type EndPriceBody = {
  /** When the price ends (exclusive): an instant on a whole hour of UTC, or a month, which begins in each company's own time zone. */
  effectiveTo: string;
};

export type ErrorCode = 'invalid_request' | 'invalid_token' | 'raw_card_numbers_off' | 'invalid_passkey' | 'unauthenticated' | 'invalid_credentials' | 'reauthentication_required' | 'invalid_code' | 'session_revoked' | 'authentication_required' | 'card_declined' | 'payment_method_required' | 'origin_not_allowed' | 'session_code_invalid' | 'address_not_allowed' | 'forbidden' | 'permission_not_held' | 'email_not_verified' | 'company_disabled' | 'second_factor_required' | 'sso_required' | 'wrong_account' | 'not_found' | 'method_not_allowed' | 'email_taken' | 'mail_expired' | 'mail_not_about_money' | 'already_invited' | 'already_member' | 'no_sign_in_provider' | 'provider_of_environment' | 'has_company' | 'role_name_taken' | 'role_in_use' | 'system_role' | 'last_admin' | 'totp_enabled' | 'passkey_exists' | 'last_link' | 'label_name_taken' | 'reference_taken' | 'card_setups_not_configured' | 'setup_not_confirmed' | 'setup_used' | 'nothing_to_confirm' | 'paypal_not_available' | 'currency_in_use' | 'seller_required' | 'external_id_taken' | 'usage_waiting' | 'number_prefix_taken' | 'insufficient_credit' | 'payment_in_progress' | 'payment_under_review' | 'awaiting_release' | 'item_invoiced' | 'invoice_voided' | 'invoice_paid' | 'invoice_credited' | 'invoice_not_computed' | 'credit_exceeds_invoice' | 'gateway_differs' | 'not_under_review' | 'outcome_contradicted' | 'payment_not_captured' | 'invoice_unpaid' | 'refund_exceeds_payment' | 'payment_disputed' | 'dispute_not_recorded' | 'refund_not_recorded' | 'refund_refused' | 'refund_under_review' | 'credit_currency_differs' | 'price_superseded' | 'period_billed' | 'price_ended' | 'price_in_force' | 'period_not_over' | 'job_running' | 'webhook_endpoint_disabled' | 'journal_missing' | 'recovery_running' | 'idempotency_key_in_use' | 'first_key' | 'limit_reached' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'rate_limited' | 'card_testing_suspected' | 'request_timeout' | 'headers_too_large' | 'internal_error' | 'charges_held' | 'service_unavailable';

export type ErrorDetail = {
  field: string;
  message: string;
};

export type Event = {
  /** The id of the event, which is also the `webhook-id` of its deliveries. */
  id: string;
  type: 'user.created' | 'card.created' | 'card.updated' | 'card.deleted' | 'paypal_account.created' | 'paypal_account.updated' | 'paypal_account.deleted' | 'billing_information.updated' | 'invoice.created' | 'invoice.succeeded' | 'invoice.failed' | 'invoice.voided' | 'credit_note.created' | 'payment.started' | 'payment.requires_action' | 'payment.captured' | 'payment.failed' | 'payment.needs_review' | 'address.created' | 'address.updated' | 'address.deleted' | 'label.created' | 'label.updated' | 'label.deleted' | 'label.assigned' | 'label.unassigned' | 'company.created' | 'company.updated' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'refund.needs_review' | 'dispute.created' | 'dispute.updated' | 'dispute.closed' | 'usage.threshold_reached' | 'item.created' | 'alert.created' | 'webhook.ping' | 'charges.held' | 'charges.released';
  /** The company that the event is about. Null for an event that only the operator gets, such as the sign-up of a customer or an alert. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The name under which lists show the company. Null without a company. */
  companyName: string | null;
  /** The number of the invoice that the event is about. Null for an event about something else. */
  invoiceNumber: string | null;
  createdAt: string;
  /** The object as the API showed it when the event occurred. The section on webhooks describes `data` for each type. */
  data: Record<string, unknown>;
};

export type EventFilter = 'user.created' | 'card.created' | 'card.updated' | 'card.deleted' | 'paypal_account.created' | 'paypal_account.updated' | 'paypal_account.deleted' | 'billing_information.updated' | 'invoice.created' | 'invoice.succeeded' | 'invoice.failed' | 'invoice.voided' | 'credit_note.created' | 'payment.started' | 'payment.requires_action' | 'payment.captured' | 'payment.failed' | 'payment.needs_review' | 'address.created' | 'address.updated' | 'address.deleted' | 'label.created' | 'label.updated' | 'label.deleted' | 'label.assigned' | 'label.unassigned' | 'company.created' | 'company.updated' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'refund.needs_review' | 'dispute.created' | 'dispute.updated' | 'dispute.closed' | 'usage.threshold_reached' | 'item.created' | 'alert.created' | 'charges.held' | 'charges.released' | 'user.*' | 'card.*' | 'paypal_account.*' | 'billing_information.*' | 'invoice.*' | 'credit_note.*' | 'payment.*' | 'address.*' | 'label.*' | 'company.*' | 'refund.*' | 'dispute.*' | 'usage.*' | 'item.*' | 'alert.*' | 'charges.*';

export type EventList = {
  perPage: number;
  /** The `cursor` of the next page. Null on the last page. */
  nextCursor: string | null;
  data: Event[];
};

export type FailedCompany = {
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  companyName: string;
  /** Why the company could not be billed, without the values that the error contained. The log has the whole error. */
  reason: string;
};

export type ForgottenPasswordBody = {
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
};

export type GatewayEventAnswer = {
  received: boolean;
};

/** An event, as the gateway sends it. */
export type GatewayEventBody = Record<string, AnyValue>;

export type GrantCreditBody = {
  /** The amount to grant, with no more decimals than the currency has. A negative amount corrects an earlier grant; the credit cannot fall below zero. */
  amount: string | number;
  /** The company's billing currency. */
  currency: string;
  reason: string;
};

export type Health = {
  status: string;
};

export type IngestionEventResult = {
  /** The id of the event; null if the event has none. */
  id: string | null;
  status: 'accepted' | 'duplicate' | 'rejected';
  /** The error of a rejected event: `invalid_event`, `unknown_company`, `time_in_future` or `too_late`. */
  reason: string | null;
  /** A sentence that says which rule the event broke. */
  message: string | null;
  /** True for an accepted event of an external id that no company has yet, else absent. */
  unattributed?: boolean;
};

export type IngestionResult = {
  /** The number of new events. They are stored permanently. */
  accepted: number;
  /** The number of events that repeat an earlier event of the same company, `source` and `id`. They are not counted again. */
  duplicate: number;
  /** The number of events that broke a rule. */
  rejected: number;
  /** One result for each event, in the order of the request. */
  results: IngestionEventResult[];
};

export type Integration = {
  /** The origins of the pages of your product: they may send the tokens of customer sessions, and `returnUrl` leads to them. */
  allowedOrigins: string[];
};

export type IntegrationBody = {
  /** All origins: the list is replaced whole. */
  allowedOrigins: string[];
};

export type Invitation = {
  id: string;
  email: string;
  role: RoleReference;
  invited_by: Inviter;
  created_at: string;
  expires_at: string;
};

export type InvitationBody = {
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
  /** A role of the company or of the system, except Customer. */
  role_id: string;
};

export type InvitationList = {
  total: number;
  page: number;
  per_page: number;
  data: Invitation[];
};

export type Inviter = {
  /** The id of the member; of the operator, that of its key or of the person, as in the audit log. */
  id: string;
  /** The name of the person. Where a key of the operator has sent the invitation, that of the seller. */
  name: string;
};

export type Invoice = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the invoice, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  /** The id of the billing-information record of the buyer. */
  billToId: string;
  /** The payment that paid the invoice. Null until the invoice is paid. */
  paymentId: string | null;
  startAt: string;
  endAt: string;
  method: 'Card' | 'paypal';
  status: 'Processing' | 'Succeeded' | 'Failed';
  /** `open`: an amount is due. `paid`: the invoice is paid. `credited`: credit notes alone cover the total. `void`: the invoice was voided. `status`, in contrast, only reports on charges. */
  state: 'open' | 'paid' | 'credited' | 'void';
  /** Whether the buyer owes the tax in place of the seller (reverse charge), as it was when the invoice was issued. The PDF says so. */
  reverseCharge: boolean;
  currency: string;
  /** In percent; empty if the lines have several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  details: LineItem[];
  /** The sum of the rounded lines, with two decimals, or three for a currency with three. */
  subTotal: string;
  /** `subTotal` × `taxRate`, rounded once, half away from zero; with several rates, the sum of the tax in `taxes`. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The metadata as it was sent. If the invoice is paid with credit, `creditAmount` is added: the amount of credit used. */
  metadata: Record<string, unknown> | null;
  /** The sum of the invoice's credit notes. */
  creditedTotal: string;
  /** The amount that was refunded, to the card, to the PayPal account or as credit. */
  refundedTotal: string;
  /** The date from which the invoice is charged automatically: its issue plus the company's net days. */
  dueAt: string;
  /** When the invoice was voided; null unless it is void. A void invoice can neither be paid nor credited. */
  voidedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type InvoiceCollection = {
  /** `scheduled`: the invoice is charged at `nextAttemptAt`. `awaiting_outcome`: the outcome of a payment is not known yet. `awaiting_confirmation`: a payment waits until the customer has confirmed it, and nothing else is tried. `awaiting_payment_method`: there is no card, or the bank will never accept the card; a new default card is charged at once. `awaiting_release`: the operator has to release the invoice, because it was open when the database was restored without all journals, or because a person has to decide about a lost document of the invoice. `manual`: the invoice is charged only when somebody pays it. `exhausted`: all attempts were declined; a new default card is charged at once. `closed`: the invoice is paid or void. For an invoice with the method `paypal`, a PayPal account takes the place of the card. */
  state: 'scheduled' | 'awaiting_outcome' | 'awaiting_confirmation' | 'awaiting_payment_method' | 'awaiting_release' | 'manual' | 'exhausted' | 'closed';
  dueAt: string;
  /** When the invoice is charged next; if this time has passed, as soon as possible. Null unless `scheduled`. */
  nextAttemptAt: string | null;
  /** How often this card or PayPal account was declined: the position in the company's `dunningDays`. */
  dunningStep: number;
};

export type InvoiceCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'invoice.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Invoice;
};

export type InvoiceDifference = {
  /** The position of the line in `details`, from 0; null for a field of the invoice as a whole. */
  line: number | null;
  field: string;
  /** The value on the invoice. Null if the invoice has no such line. */
  issued: string | null;
  /** The value of the computation. Null if the computation makes no such line. */
  recomputed: string | null;
};

export type InvoiceFailedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'invoice.failed';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Invoice;
};

export type InvoiceLink = {
  /** The hosted page of the invoice. Whoever has this address can read the invoice and pay it. */
  url: string;
  createdAt: string;
  expiresAt: string;
};

export type InvoiceList = {
  total: number;
  page: number;
  perPage: number;
  data: InvoiceWithPayment[];
};

export type InvoiceSucceededEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'invoice.succeeded';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Invoice;
};

export type InvoiceVoidedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'invoice.voided';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Invoice;
};

export type InvoiceWithAttempts = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the invoice, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  /** The id of the billing-information record of the buyer. */
  billToId: string;
  /** The payment that paid the invoice. Null until the invoice is paid. */
  paymentId: string | null;
  startAt: string;
  endAt: string;
  method: 'Card' | 'paypal';
  status: 'Processing' | 'Succeeded' | 'Failed';
  /** `open`: an amount is due. `paid`: the invoice is paid. `credited`: credit notes alone cover the total. `void`: the invoice was voided. `status`, in contrast, only reports on charges. */
  state: 'open' | 'paid' | 'credited' | 'void';
  /** Whether the buyer owes the tax in place of the seller (reverse charge), as it was when the invoice was issued. The PDF says so. */
  reverseCharge: boolean;
  currency: string;
  /** In percent; empty if the lines have several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  details: LineItem[];
  /** The sum of the rounded lines, with two decimals, or three for a currency with three. */
  subTotal: string;
  /** `subTotal` × `taxRate`, rounded once, half away from zero; with several rates, the sum of the tax in `taxes`. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The metadata as it was sent. If the invoice is paid with credit, `creditAmount` is added: the amount of credit used. */
  metadata: Record<string, unknown> | null;
  /** The sum of the invoice's credit notes. */
  creditedTotal: string;
  /** The amount that was refunded, to the card, to the PayPal account or as credit. */
  refundedTotal: string;
  /** The date from which the invoice is charged automatically: its issue plus the company's net days. */
  dueAt: string;
  /** When the invoice was voided; null unless it is void. A void invoice can neither be paid nor credited. */
  voidedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** The latest of `attempts`, whether it succeeded or not. A second capture that was accepted as credit is not included. */
  payment: PaymentAttempt | null;
  /** Every attempt to charge the invoice, the oldest first. */
  attempts: PaymentAttempt[];
  collection: InvoiceCollection;
};

export type InvoiceWithPayment = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the invoice, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  /** The id of the billing-information record of the buyer. */
  billToId: string;
  /** The payment that paid the invoice. Null until the invoice is paid. */
  paymentId: string | null;
  startAt: string;
  endAt: string;
  method: 'Card' | 'paypal';
  status: 'Processing' | 'Succeeded' | 'Failed';
  /** `open`: an amount is due. `paid`: the invoice is paid. `credited`: credit notes alone cover the total. `void`: the invoice was voided. `status`, in contrast, only reports on charges. */
  state: 'open' | 'paid' | 'credited' | 'void';
  /** Whether the buyer owes the tax in place of the seller (reverse charge), as it was when the invoice was issued. The PDF says so. */
  reverseCharge: boolean;
  currency: string;
  /** In percent; empty if the lines have several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  details: LineItem[];
  /** The sum of the rounded lines, with two decimals, or three for a currency with three. */
  subTotal: string;
  /** `subTotal` × `taxRate`, rounded once, half away from zero; with several rates, the sum of the tax in `taxes`. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The metadata as it was sent. If the invoice is paid with credit, `creditAmount` is added: the amount of credit used. */
  metadata: Record<string, unknown> | null;
  /** The sum of the invoice's credit notes. */
  creditedTotal: string;
  /** The amount that was refunded, to the card, to the PayPal account or as credit. */
  refundedTotal: string;
  /** The date from which the invoice is charged automatically: its issue plus the company's net days. */
  dueAt: string;
  /** When the invoice was voided; null unless it is void. A void invoice can neither be paid nor credited. */
  voidedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** The latest payment, whether it succeeded or not. A second capture that was accepted as credit is not included. */
  payment: Payment | null;
};

export type Item = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  title: string;
  /** `unitAmount` × `quantity`; negative for a credit. */
  amount: string;
  unitAmount: string;
  quantity: number;
  currency: string;
  /** The tax rate in percent; null for the rate of the usage on the same invoice. */
  taxRate: string | null;
  /** The `reference` as it was sent. */
  reference: string | null;
  /** `pending`: the item waits for an invoice. `invoiced`: an invoice includes the item. The item stays `invoiced` even if that invoice is voided. */
  state: 'pending' | 'invoiced';
  /** The invoice that includes the item; null while the item is pending. */
  invoiceId: string | null;
  createdAt: string;
};

export type ItemBody = {
  /** The title of the invoice line. */
  title: string;
  /** The total of the line without tax, with no more decimals than the currency has; negative for a credit. Send either `amount`, or `unitAmount` and `quantity`. */
  amount?: string | number;
  /** The price of one unit, with up to 12 decimals. The line's total is `unitAmount` × `quantity`, rounded once, half away from zero. */
  unitAmount?: string | number;
  /** The number of units, with `unitAmount`; 1 when absent. */
  quantity?: number;
  /** The currency of the item, which must be the company's billing currency. When absent: that currency. */
  currency?: string;
  /** The tax rate in percent, as a decimal string. When absent: the rate of the usage on the same invoice. */
  taxRate?: string;
  /** `next` (the default): the company's next invoice includes the item. */
  invoice?: 'next';
  /** Your own id for the item, unique among the company's items. If the same request is sent again, the response is 200 with the existing item. A different body with the same reference is answered with 409 `reference_taken`. */
  reference?: string;
} & ({
  quantity?: never;
  amount: string | number;
} | {
  unitAmount: string | number;
});

export type ItemCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'item.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Item;
};

export type ItemList = {
  total: number;
  page: number;
  perPage: number;
  data: Item[];
};

export type JobList = {
  total: number;
  page: number;
  perPage: number;
  data: BackgroundJob[];
  /** The schedules: work that begins at fixed times. Every page of the list has all of them, sorted by name. */
  schedules: JobSchedule[];
};

export type JobSchedule = {
  name: string;
  /** When the work begins next. */
  nextAt: string;
  /** When the work last succeeded. Null before the first time. */
  lastRunAt: string | null;
};

export type JournalLinesAdded = {
  /** The number of marks in these lines that the database lacks. */
  missing: number;
};

export type JournalLinesBody = {
  /** The lines of the files, in the order in which the files were last written, the oldest first. */
  lines: string[];
  /** The id of the database that wrote the journal: `installation` in the `journal.json` of the journal, if the file has it. The request is refused if the id is not that of this database. */
  installation?: string;
  /** Whether these are the last lines. With them, the journal counts as read. */
  isLast: boolean;
};

export type Jwk = {
  kty: string;
  crv: string;
  /** The public key in base64url. */
  x: string;
  /** The id of the key, as in the header of access tokens. */
  kid: string;
  alg: string;
  use: string;
};

/** A JSON Web Key Set (RFC 7517). */
export type JwkSet = {
  keys: Jwk[];
};

export type Label = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The id of the user, or the customer session, that created the label. */
  userId: string;
  createdBy: string;
  updatedBy: string;
  name: string;
  description: string;
  color: string;
  /** How many agents, tickets and customers have the label. */
  assignments: number;
  createdAt: string;
  updatedAt: string;
};

export type LabelAssignedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'label.assigned';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: LabelAssignment;
};

export type LabelAssignment = {
  type: 'agent' | 'ticket' | 'customer';
  id: string;
  label: AssignedLabel;
};

export type LabelCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'label.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Label;
};

export type LabelDeletedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'label.deleted';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Label;
};

export type LabelList = {
  current_page: number;
  per_page: number;
  /** The number of the last page, at least 1. */
  last_page: number;
  total: number;
  data: Label[];
};

export type LabelTarget = {
  type: 'agent' | 'ticket' | 'customer';
  /** For an agent, the id of the user. For a ticket or a customer, the id that your own service uses. */
  id: string;
};

export type LabelTargetList = {
  total: number;
  page: number;
  per_page: number;
  data: LabeledTarget[];
};

export type LabelTargetsBody = {
  /** The records. If one of them is wrong, the whole request is refused. */
  targets: LabelTarget[];
};

export type LabelUnassignedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'label.unassigned';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: LabelAssignment;
};

export type LabelUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'label.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Label;
};

export type LabeledRecord = {
  type: 'agent' | 'ticket' | 'customer';
  id: string;
  /** The labels of the record, sorted by name. */
  labels: AssignedLabel[];
};

export type LabeledRecords = {
  /** The records, in the order of `ids`. */
  data: LabeledRecord[];
};

export type LabeledTarget = {
  type: 'agent' | 'ticket' | 'customer';
  id: string;
};

export type LateUsage = {
  /** How Paydesk bills usage that is reported after the invoice of its period was issued. `next_invoice`: the next invoice includes the usage as a dated line. `refuse`: the same, but Paydesk refuses usage that is older than `days`. `ignore`: the usage is never billed. */
  kind: 'next_invoice' | 'refuse' | 'ignore';
  /** Required with `refuse`, and allowed only there: how many days after the end of its period usage is still accepted. */
  days?: number;
};

export type LateUsageBody = {
  /** How Paydesk bills usage that is reported after the invoice of its period was issued. `next_invoice`: the next invoice includes the usage as a dated line. `refuse`: the same, but Paydesk refuses usage that is older than `days`. `ignore`: the usage is never billed. */
  kind: 'next_invoice' | 'refuse' | 'ignore';
  /** Required with `refuse`, and allowed only there: how many days after the end of its period usage is still accepted. */
  days?: number;
} & ({
  kind: 'refuse';
  days: number;
} | {
  kind: 'next_invoice' | 'ignore';
});

export type LedgerBalance = {
  /** `receivable`: what companies owe. `cash:<gateway>`: what a gateway took and did not return, keep or pay out. `credit`: the credit of companies. `refunds_due`: what is to be refunded and was not yet. `disputed`: what gateways withdrew for disputes that may still be won. `dispute_losses`: what was lost in disputes. `unallocated`: captures that belong to no company here, until they are refunded. `gateway_fees`: what gateways took for themselves. `bank`: what they paid out. `revenue`: what was invoiced, without tax. `tax`: the tax that was invoiced. `goodwill`: the cost of granted credit. */
  account: string;
  currency: string;
  /** The sum of the postings of the account: positive is debit. */
  balance: string;
};

export type LedgerBalanceList = {
  data: LedgerBalance[];
};

export type LedgerPosting = {
  /** The company of the posting. Null for a payout, for a capture that belongs to no company in the database, and for its fee and its refund. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** What caused the entry. */
  kind: 'invoice_issued' | 'invoice_voided' | 'credit_granted' | 'credit_corrected' | 'credit_carried_over' | 'credit_consumed' | 'credit_returned' | 'payment_captured' | 'credit_note_issued' | 'refund_sent' | 'dispute_withdrawn' | 'dispute_reinstated' | 'dispute_lost' | 'dispute_recovered' | 'gateway_fee' | 'payout' | 'payout_failed';
  /** The id of the record that caused the entry: an invoice, payment, credit entry, credit note, refund, movement of a dispute, fee or payout. `kind` and this id together identify the entry. */
  sourceId: string;
  /** The invoice that the entry is about; null for credit without an invoice. */
  invoiceId: string | null;
  /** The name of the company, as in the other lists of the operator. Null without a company. */
  companyName: string | null;
  /** The number of the invoice. Null without an invoice. */
  invoiceNumber: string | null;
  /** `receivable`: what companies owe. `cash:<gateway>`: what a gateway took and did not return, keep or pay out. `credit`: the credit of companies. `refunds_due`: what is to be refunded and was not yet. `disputed`: what gateways withdrew for disputes that may still be won. `dispute_losses`: what was lost in disputes. `unallocated`: captures that belong to no company here, until they are refunded. `gateway_fees`: what gateways took for themselves. `bank`: what they paid out. `revenue`: what was invoiced, without tax. `tax`: the tax that was invoiced. `goodwill`: the cost of granted credit. */
  account: string;
  currency: string;
  /** Positive: debit. Negative: credit. The postings of an entry add up to zero. */
  amount: string;
  createdAt: string;
};

export type LedgerPostingList = {
  perPage: number;
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
  data: LedgerPosting[];
};

export type LineItem = {
  title: string;
  path: string;
  totalRequest: string;
  currency: string;
  amount: number;
  /** Only for lines of a billing run. `usage`: usage in the billing period of the invoice. `adjustment`: the difference that late usage makes to the earlier `period` of the line. `item`: a one-off item. `carry_over`: a reduction (by late usage or items) that exceeds the rest of the invoice; the company gets the excess as credit. */
  kind?: 'usage' | 'adjustment' | 'item' | 'carry_over';
  /** Only for lines of a billing run: the version of the price. Null if there is no price. */
  priceId?: string | null;
  /** Only for lines of a billing run: the tax rate in percent. An `adjustment` has the rate of the period that it adjusts. */
  taxRate?: string;
  /** The id of the one-off item. Only a line of the kind `item` has it. */
  itemId?: string;
  /** The price of one unit; `totalRequest` is the quantity. Only a line of the kind `item` has it. */
  unitAmount?: string;
  /** The earlier billing period that is adjusted; its end is exclusive. Only an `adjustment` has it. */
  period?: {
    startAt: string;
    endAt: string;
  };
};

export type LineItemBody = {
  title: string;
  /** The path of the API that the line bills; empty when absent. */
  path?: string;
  /** The number of requests that the line bills; 0 when absent. The amount is not multiplied by it. */
  totalRequest?: string | number;
  /** The currency, as a code of ISO 4217. All lines of an invoice have the same currency. */
  currency: string;
  /** The total of the line, rounded once to the currency's minor unit, half away from zero. It may be negative. */
  amount: string | number;
};

export type ListedCompany = {
  id: string;
  /** The id that the operator’s product gives the company, unique in the installation. Null until it is set. */
  externalId: string | null;
  name: string;
  phone: string;
  address: string;
  describe: string;
  /** The e-mail address of the company. If it has none, the address of its first admin. Empty without either. */
  email: string;
  /** Texts that the operator keeps with the company. Members cannot read them, but the webhook endpoints of the company get them. */
  metadata: Record<string, string>;
  /** Whether the company is disabled: its members and API keys can read, but not change anything. */
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** The `organization` of the billing information; empty without one. */
  organization: string;
};

export type ListedDispute = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  paymentId: string;
  invoiceId: string;
  gateway: string;
  /** The id of the dispute at the gateway, where it is answered. A dispute about several payments appears once for each payment, with the same id. */
  gatewayDisputeId: string;
  /** `NeedsResponse`: the bank waits for evidence, which is submitted at the gateway. `UnderReview`: the bank is deciding. `Won`, `Lost`: the bank has decided. `Closed`: the dispute ended in another way, for example an inquiry that was dropped. */
  status: 'NeedsResponse' | 'UnderReview' | 'Won' | 'Lost' | 'Closed';
  /** The disputed amount. */
  amount: string;
  /** The amount that the gateway has withdrawn for the dispute and not returned. It cannot be refunded meanwhile. */
  withdrawnAmount: string;
  currency: string;
  /** The reason as the gateway names it. */
  reason: string;
  openedAt: string;
  createdAt: string;
  updatedAt: string;
  /** The name of the company, as in the other lists of the operator. */
  companyName: string;
  invoiceNumber: string;
};

export type ListedOperatorInvoice = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the invoice, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  /** The id of the billing-information record of the buyer. */
  billToId: string;
  /** The payment that paid the invoice. Null until the invoice is paid. */
  paymentId: string | null;
  startAt: string;
  endAt: string;
  method: 'Card' | 'paypal';
  status: 'Processing' | 'Succeeded' | 'Failed';
  /** `open`: an amount is due. `paid`: the invoice is paid. `credited`: credit notes alone cover the total. `void`: the invoice was voided. `status`, in contrast, only reports on charges. */
  state: 'open' | 'paid' | 'credited' | 'void';
  /** Whether the buyer owes the tax in place of the seller (reverse charge), as it was when the invoice was issued. The PDF says so. */
  reverseCharge: boolean;
  currency: string;
  /** In percent; empty if the lines have several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  details: LineItem[];
  /** The sum of the rounded lines, with two decimals, or three for a currency with three. */
  subTotal: string;
  /** `subTotal` × `taxRate`, rounded once, half away from zero; with several rates, the sum of the tax in `taxes`. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The metadata as it was sent. If the invoice is paid with credit, `creditAmount` is added: the amount of credit used. */
  metadata: Record<string, unknown> | null;
  /** The sum of the invoice's credit notes. */
  creditedTotal: string;
  /** The amount that was refunded, to the card, to the PayPal account or as credit. */
  refundedTotal: string;
  /** The date from which the invoice is charged automatically: its issue plus the company's net days. */
  dueAt: string;
  /** When the invoice was voided; null unless it is void. A void invoice can neither be paid nor credited. */
  voidedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** The latest payment, whether it succeeded or not. A second capture that was accepted as credit is not included. */
  payment: Payment | null;
  /** The `organization` of the company's billing information. If it is empty, the company's name, and without a name its e-mail address. */
  companyName: string;
};

export type LogInBody = {
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
  /** The password must have more than 8 characters, at most 256 bytes, an uppercase letter, a lowercase letter, a digit and a special character. A sign-up refuses common and breached passwords, and passwords that consist of the e-mail address or the name. */
  password: string;
};

export type LoginAnswer = {
  error: null;
  data: AuthData | SecondFactorDemanded;
};

export type LostNumber = {
  number: string;
  type: 'invoice' | 'credit_note';
  /** The company of the document. Null if nothing is known about the document. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The total of the document; 0 if it is not known. */
  total: string;
  /** The currency of the document. Null if it is not known. */
  currency: string | null;
  reason: string;
  recordedAt: string;
};

export type LostNumberList = {
  total: number;
  page: number;
  perPage: number;
  data: LostNumber[];
};

export type Mail = {
  id: string;
  /** The company of the recipient. Null if the recipient belongs to no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The name of the company. Null if the recipient belongs to no company. */
  companyName: string | null;
  /** The invoice that the mail is about. Null for a mail about no invoice. */
  invoiceId: string | null;
  to: string[];
  /** The kind of mail. Later versions may add kinds. */
  type: 'invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement' | 'verify_email' | 'reset_password' | 'password_changed' | 'change_email' | 'email_changing' | 'email_kept' | 'passkey_added' | 'passkey_removed' | 'totp_enabled' | 'totp_disabled' | 'recovery_codes_replaced' | 'invitation' | 'charges_held';
  /** The language of the mail, as a BCP 47 tag. */
  language: string;
  subject: string;
  /** `queued`: Paydesk will send the mail, for the first time or again. `sent`: the mail server has accepted the mail. `failed`: the mail server refused the mail, or did not accept it in time. `kept`: Paydesk has no `SMTP_URL` and never sends the mail. */
  status: 'queued' | 'sent' | 'failed' | 'kept';
  /** The files of the mail. */
  attachments: MailAttachment[];
  /** The mail that this one repeats. Null for a mail that repeats none. */
  resendOf: string | null;
  createdAt: string;
  /** When the mail server accepted the mail. Null until then. */
  sentAt: string | null;
  /** The mail as plain text. Null if a link in the mail gives access to an account, unless the mail is `kept`, and after 30 days. */
  text: string | null;
  /** The mail as HTML. Null if a link in the mail gives access to an account, unless the mail is `kept`, and after 30 days. */
  html: string | null;
};

export type MailAttachment = {
  name: string;
  contentType: string;
  /** In bytes, as it was sent. Null until then: a file is drawn when the mail is sent. */
  size: number | null;
};

export type MailList = {
  total: number;
  page: number;
  perPage: number;
  data: MailSummary[];
};

export type MailPreview = {
  type: 'invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement';
  /** The language of the mail, as a BCP 47 tag. */
  language: string;
  subject: string;
  text: string;
  html: string;
  /** The files of the mail, which are not drawn. */
  attachments: MailAttachment[];
};

export type MailPreviewBody = {
  /** The kind of mail. */
  type: 'invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement';
  /** The mail is about this invoice. Exactly one of `invoiceId` and `companyId` is needed. */
  invoiceId?: string;
  /** The mail is about the newest of what this company has. Exactly one of `invoiceId` and `companyId` is needed. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** The language of the mail; one without texts of its own in mails (`it` and those after it) stands for English. Without it, that of the company's mail settings. */
  language?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'ja';
};

export type MailResendBody = {
  /** Who gets the mail. Without it, the recipients of the mail that is repeated. */
  to?: string[];
};

export type MailSettings = {
  /** The addresses that each mail about money goes to. When empty, the mails go to the members who have both `platform.admins.all` and `platform.roles.all`, or, if there are none, to the company's e-mail. */
  recipients: string[];
  /** The language of the mails about money. One without texts of its own in mails (`it` and those after it) stands for English. */
  language: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'ja';
  /** The types of mails that the company does not get. */
  disabled: ('invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement')[];
};

export type MailSettingsBody = {
  /** The addresses that each mail about money goes to. When empty, the mails go to the members who have both `platform.admins.all` and `platform.roles.all`, or, if there are none, to the company's e-mail. */
  recipients?: string[];
  /** The language of the mails about money. One without texts of its own in mails (`it` and those after it) stands for English. */
  language?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'ja';
  /** The types of mails that the company does not get. */
  disabled?: ('invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement')[];
};

export type MailSummary = {
  id: string;
  /** The company of the recipient. Null if the recipient belongs to no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The name of the company. Null if the recipient belongs to no company. */
  companyName: string | null;
  /** The invoice that the mail is about. Null for a mail about no invoice. */
  invoiceId: string | null;
  to: string[];
  /** The kind of mail. Later versions may add kinds. */
  type: 'invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement' | 'verify_email' | 'reset_password' | 'password_changed' | 'change_email' | 'email_changing' | 'email_kept' | 'passkey_added' | 'passkey_removed' | 'totp_enabled' | 'totp_disabled' | 'recovery_codes_replaced' | 'invitation' | 'charges_held';
  /** The language of the mail, as a BCP 47 tag. */
  language: string;
  subject: string;
  /** `queued`: Paydesk will send the mail, for the first time or again. `sent`: the mail server has accepted the mail. `failed`: the mail server refused the mail, or did not accept it in time. `kept`: Paydesk has no `SMTP_URL` and never sends the mail. */
  status: 'queued' | 'sent' | 'failed' | 'kept';
  /** The files of the mail. */
  attachments: MailAttachment[];
  /** The mail that this one repeats. Null for a mail that repeats none. */
  resendOf: string | null;
  createdAt: string;
  /** When the mail server accepted the mail. Null until then. */
  sentAt: string | null;
};

export type Member = {
  /** The id of the user. */
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  role: RoleReference;
  email_verified: boolean;
  /** Whether the member has a second factor. */
  two_factor: boolean;
  created_at: string;
};

export type MemberBody = {
  /** A role of the company or of the system, except Customer. */
  role_id: string;
};

export type MemberList = {
  total: number;
  page: number;
  per_page: number;
  data: Member[];
};

export type NewApiKey = {
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  permission: Permissions;
  created_by: ApiKeyCreator;
  created_at: string;
  /** When the key was last used, to the minute. Null until the first use. */
  last_used_at: string | null;
  /** When the key expires. Null for a key that does not expire. */
  expires_at: string | null;
  /** The IP addresses and ranges that may use the key. An empty list stands for all addresses. */
  allowed_ips: string[];
  /** The key itself. It is shown only once, and a repeat with the same `Idempotency-Key` does not contain it. */
  key?: string;
};

export type NewCompanyView = {
  /** The access token of the view. An answer that is repeated for an idempotency key does not have it. */
  access_token?: string;
  /** How many seconds the access token is valid. */
  expires_in: number;
  company: ViewedCompany;
};

export type NewCustomerSession = {
  id: string;
  /** The access token. A request that is repeated with its idempotency key gets no token. */
  token?: string;
  expiresAt: string;
  /** A link that opens the dashboard once, within five minutes of this request, with the permissions of the session. A request that is repeated with its idempotency key gets no link. */
  url?: string;
};

export type NewOperatorKey = {
  id: string;
  /** The name of the key. `first` is the name of the initial key, which is read from `OPERATOR_KEY` or the data directory. */
  name: string;
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. `integration` is for the backend of your product: companies with their invitations and sessions, usage, and to read prices and invoices. */
  role: 'viewer' | 'finance' | 'admin' | 'integration';
  /** The first characters of the key. */
  prefix: string;
  createdAt: string;
  /** When the key was last used, to the minute. Null until the first use. */
  lastUsedAt: string | null;
  /** When the key expires. Null for a key that does not expire. */
  expiresAt: string | null;
  /** The key itself. It is shown only once, and a repeat with the same `Idempotency-Key` does not contain it. */
  key?: string;
};

export type NoData = {
  error: null;
  data: null;
};

export type Numbering = {
  /** `seller`: one series for all companies. `company`: one series for each company; after the prefix, its numbers continue with the `numberPrefix` of the company's billing settings. */
  series: 'seller' | 'company';
  /** The prefix of invoice numbers; `INV-` until it is set. */
  invoicePrefix: string;
  /** The prefix of credit note numbers; `CN-` until it is set. */
  creditNotePrefix: string;
  /** Whether numbers begin at 1 every year. The year then follows the prefix: `INV-2026-000001`. */
  yearlyRestart: boolean;
  /** The time zone in which the years of `yearlyRestart` begin; `UTC` until it is set. */
  timezone: string;
  /** The number that the next document gets with the current settings. Null while each company has its own series. */
  nextInvoiceNumber: string | null;
  /** The number that the next document gets with the current settings. Null while each company has its own series. */
  nextCreditNoteNumber: string | null;
  updatedAt: string;
};

export type NumberingBody = {
  /** `seller`: one series for all companies. `company`: one series for each company; after the prefix, its numbers continue with the `numberPrefix` of the company's billing settings. */
  series?: 'seller' | 'company';
  /** The prefix of invoice numbers: capital letters and digits, beginning with a letter, and ending with `-`, `.` or `_`. */
  invoicePrefix?: string;
  /** The prefix of credit note numbers. It must differ from the prefix of invoice numbers. */
  creditNotePrefix?: string;
  /** Whether numbers begin at 1 every year. The year then follows the prefix: `INV-2026-000001`. */
  yearlyRestart?: boolean;
  /** The IANA time zone in which the years of `yearlyRestart` begin. */
  timezone?: string;
};

export type OpenApiDocument = unknown;

export type OpenInvitation = {
  error: null;
  data: {
    company: {
      /** The name of the company. Empty when the company has no name. */
      name: string;
    };
    invited_by: {
      name: string;
    };
    email: string;
    /** Whether the operator invites to its staff. The names above are what the inviter has chosen. */
    staff: boolean;
    role: {
      name: string;
    };
    expires_at: string;
  };
};

export type OperatorAddressBody = {
  firstName?: string;
  lastName?: string;
  streetAddress?: string;
  aptNumber?: string;
  state?: string;
  zipCode?: string;
  country?: string;
};

export type OperatorApiKey = {
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  permission: Permissions;
  createdBy: ApiKeyCreator;
  createdAt: string;
  /** When the key was last used, to the minute. Null until the first use. */
  lastUsedAt: string | null;
  /** When the key expires. Null for a key that does not expire. */
  expiresAt: string | null;
  /** The IP addresses and ranges that may use the key. An empty list stands for all addresses. */
  allowedIps: string[];
};

export type OperatorApiKeyList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorApiKey[];
};

/** Who made the change or the login. */
export type OperatorAuditActor = {
  kind: 'user' | 'api_key' | 'customer_session' | 'operator_key' | 'staff' | 'system' | 'command_line' | 'anonymous';
  /** The id of the actor; of a customer session the id of its person in your product, or its own. Null for an actor without an id, such as the system. */
  id: string | null;
  /** The name of the actor. Empty once the account is deleted. */
  name: string;
  /** Of a customer session: the name of the operator key that opened it. */
  key?: string;
  /** The IP address of the request. Null for background work. */
  ip: string | null;
  /** The `User-Agent` of the request, at most 255 characters. */
  userAgent: string | null;
};

export type OperatorAuditEntry = {
  id: string;
  /** The position of the entry in its chain, from 1 and without a gap. */
  sequence: number;
  at: string;
  /** The kind of the object and what happened to it. Later versions may add actions. */
  action: 'address.created' | 'address.deleted' | 'address.updated' | 'alert.acknowledged' | 'api_key.created' | 'api_key.deleted' | 'billing_information.updated' | 'billing_run.created' | 'billing_settings.updated' | 'card.created' | 'card.deleted' | 'card.updated' | 'company.created' | 'company.updated' | 'company.view_ended' | 'company.viewed' | 'company_settings.updated' | 'credit.granted' | 'credit_note.created' | 'customer_session.created' | 'customer_session.deleted' | 'integration.updated' | 'invitation.accepted' | 'invitation.created' | 'invitation.deleted' | 'invitation.resent' | 'invoice.created' | 'invoice.voided' | 'invoice_link.replaced' | 'invoice_link.revoked' | 'item.created' | 'item.deleted' | 'journal.declared_lost' | 'journal.lines_added' | 'label.assigned' | 'label.created' | 'label.deleted' | 'label.unassigned' | 'label.updated' | 'label_assignments.updated' | 'login.failed' | 'login.succeeded' | 'mail.resent' | 'mail_settings.updated' | 'member.created' | 'member.deleted' | 'member.sessions_ended' | 'member.updated' | 'numbering.updated' | 'operator_key.created' | 'operator_key.deleted' | 'passkey.created' | 'passkey.deleted' | 'passkey.updated' | 'payment.accepted' | 'payment.created' | 'payment.dispute_resynced' | 'payment.refunds_resynced' | 'payment.resolved' | 'paypal_account.created' | 'paypal_account.deleted' | 'paypal_account.updated' | 'price.created' | 'price.deleted' | 'price.ended' | 'recovery.adopted' | 'recovery.released' | 'recovery_codes.deleted' | 'recovery_codes.replaced' | 'recovery_refund.created' | 'refund.created' | 'refund.resolved' | 'role.created' | 'role.deleted' | 'role.updated' | 'seller.updated' | 'session.ended' | 'session.reuse_detected' | 'sign_in_provider.created' | 'sign_in_provider.deleted' | 'sign_in_provider.updated' | 'staff.created' | 'staff.deleted' | 'staff.reinvited' | 'staff.updated' | 'totp.disabled' | 'totp.enabled' | 'unattributed_usage.deleted' | 'usage_threshold.created' | 'usage_threshold.deleted' | 'user.deleted' | 'user.email_change_canceled' | 'user.email_change_requested' | 'user.email_changed' | 'user.email_verified' | 'user.linked' | 'user.password_changed' | 'user.password_reset' | 'user.signed_up' | 'user.unlinked' | 'user.updated' | 'webhook_endpoint.created' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rotated' | 'webhook_endpoint.updated';
  /** The object that was changed. Null for an action that changes no object. The name of a user is empty once the account is deleted. */
  target: {
    kind: string;
    id: string | null;
    name: string;
  } | null;
  /** The values of the changed fields before and after, under their names in the API. Secrets are left out. Null if no field was changed. */
  changes: {
    before: Record<string, unknown>;
    after: Record<string, unknown>;
  } | null;
  /** The company whose log has the entry. Null for an entry that concerns no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The name under which lists show the company. Null without a company. */
  companyName: string | null;
  actor: OperatorAuditActor;
  /** The `X-Request-Id` of the request. Null for background work. */
  requestId: string | null;
  /** The hash of the entry before it. Null for the first entry of a chain. */
  previousHash: string | null;
  /** SHA-256, in hexadecimal digits, over the entry and the hash of the entry before it. */
  hash: string;
};

export type OperatorAuditEntryList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorAuditEntry[];
};

export type OperatorBillingInformationBody = {
  firstName?: string;
  lastName?: string;
  phoneNumber?: string;
  country?: string;
  address?: string;
  zipCode?: string;
  province?: string;
  city?: string;
  organization?: string;
  taxId?: string;
};

export type OperatorBillingSettings = {
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The currency of the company; `USD` until it is set. */
  currency: string;
  /** The tax rate in percent; `0` until it is set. */
  taxRate: string;
  exemptWithTaxId: boolean;
  /** Whether the company is exempt from tax now: `exemptWithTaxId` is true, `taxId` has the form of the numbers of `country`, and that is not the seller's country. */
  taxExempt: boolean;
  /** The `taxId` of the billing information, read by the rules of its `country`. Null without a `taxId`. `form` says whether the number is written as numbers of that country are. It is `unknown` for countries whose form Paydesk does not know. Paydesk knows the EU, GB, CH and NO. */
  vatId: {
    number: string;
    country: string;
    form: 'good' | 'bad' | 'unknown';
  } | null;
  /** The time zone in which the months of the company begin and end; `UTC` until it is set. */
  timezone: string;
  lateUsage: LateUsage;
  invoiceGraceHours: number;
  /** `automatic`: Paydesk charges an invoice when it is due. `manual`: somebody has to pay it. `by_card`, the default: automatic while the company has a default card, or, for an invoice of the method `paypal`, a default PayPal account. */
  collection: 'by_card' | 'automatic' | 'manual';
  /** How many days after its issue an invoice is due. A day has 24 hours. A change applies to invoices that are issued later. 0 by default. */
  netDays: number;
  /** When Paydesk tries a refused charge again. The first number is the days after the first refusal, each further number the days after the refusal before it. An empty list means never. `[2, 5, 7, 7]` by default. */
  dunningDays: number[];
  /** Whether Paydesk now charges invoices that are paid by card when they are due. */
  collectsAutomatically: boolean;
  /** What a company pays the invoices of billing runs with. A change applies to invoices that are issued later. `default` stands for the first of these that the company has: the default card, the default PayPal account, or its only PayPal account if it has no card. Otherwise it stands for a card. */
  paymentMethod: 'default' | 'Card' | 'paypal';
  /** The `method` that a billing run would now give an invoice of the company. */
  invoiceMethod: 'Card' | 'paypal';
  /** The text that follows the seller's prefix in the numbers of the company's documents, while each company has its own series. */
  numberPrefix: string;
};

export type OperatorBillingSettingsBody = {
  /** ISO 4217. The currency of the company's invoices and of its credit. */
  currency?: string;
  /** The tax rate in percent, as a decimal string. */
  taxRate?: string;
  /** Whether the company pays no tax (reverse charge) while its billing information has a `taxId` in the form of a VAT number of its `country`. */
  exemptWithTaxId?: boolean;
  /** An IANA time zone. The company's months begin and end in it. */
  timezone?: string;
  lateUsage?: LateUsageBody;
  /** How many hours after the end of a period Paydesk issues its invoice. */
  invoiceGraceHours?: number;
  /** `automatic`: Paydesk charges an invoice when it is due. `manual`: somebody has to pay it. `by_card`, the default: automatic while the company has a default card, or, for an invoice of the method `paypal`, a default PayPal account. */
  collection?: 'by_card' | 'automatic' | 'manual';
  /** How many days after its issue an invoice is due. A day has 24 hours. A change applies to invoices that are issued later. 0 by default. */
  netDays?: number;
  /** When Paydesk tries a refused charge again. The first number is the days after the first refusal, each further number the days after the refusal before it. An empty list means never. `[2, 5, 7, 7]` by default. */
  dunningDays?: number[];
  /** What a company pays the invoices of billing runs with. A change applies to invoices that are issued later. `default` stands for the first of these that the company has: the default card, the default PayPal account, or its only PayPal account if it has no card. Otherwise it stands for a card. */
  paymentMethod?: 'default' | 'Card' | 'paypal';
  /** With `PUT /operator/numbering`, each company can have its own series of document numbers. This text then follows the seller's prefix in the numbers of the company, as in `INV-ACME-000001`. It has capitals and digits, and `-`, `.` or `_` at the end. Two companies cannot have the same text. Empty stands for the end of the company's id. */
  numberPrefix?: string;
};

export type OperatorCompanyBody = {
  /** If the path has a UUID: the new external id, or null for none. If the path has an external id, omit this field or repeat that id. */
  externalId?: string | null;
  name?: string;
  phone?: string;
  address?: string;
  describe?: string;
  email?: string;
  /** Up to 50 texts of your own. A name has at most 40 characters, and a text at most 500. A change replaces all of them. */
  metadata?: Record<string, string>;
  /** True disables the company: its members and API keys can read, but not change anything, and Paydesk does not collect its invoices automatically. */
  disabled?: boolean;
  billingInformation?: OperatorBillingInformationBody;
  billingSettings?: OperatorBillingSettingsBody;
};

export type OperatorCreditNote = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the credit note, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  invoiceId: string;
  invoiceNumber: string;
  /** Why the invoice is corrected, for the books. */
  reason: string;
  currency: string;
  /** The tax rate of the invoice; empty if the invoice has several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  /** The credited lines; empty if an `amount` was credited. */
  details: CreditNoteLine[];
  subTotal: string;
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** False: the credit note lowers the amount to pay. True: the invoice was paid before, and the money has to be refunded. */
  afterPayment: boolean;
  createdAt: string;
  /** The `organization` of the company's billing information. If it is empty, the company's name, and without a name its e-mail address. */
  companyName: string;
};

export type OperatorCreditNoteList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorCreditNote[];
};

export type OperatorInvitation = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  email: string;
  role: RoleReference;
  invitedBy: OperatorInviter;
  createdAt: string;
  expiresAt: string;
};

export type OperatorInvitationBody = {
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
  /** The name of a role of the system or of the company, without case, except Customer. Admin when absent. */
  role?: string;
};

export type OperatorInvitationList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorInvitation[];
};

export type OperatorInviter = {
  /** The id of the operator key, of the person of the staff or of the member, as in the audit log. */
  id: string;
  name: string;
};

export type OperatorInvoice = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The number of the invoice, unique for the seller and without a gap in its series: see `PUT /operator/numbering`. */
  number: string;
  /** The `reference` as it was sent; null if none was sent. */
  reference: string | null;
  /** The id of the billing-information record of the buyer. */
  billToId: string;
  /** The payment that paid the invoice. Null until the invoice is paid. */
  paymentId: string | null;
  startAt: string;
  endAt: string;
  method: 'Card' | 'paypal';
  status: 'Processing' | 'Succeeded' | 'Failed';
  /** `open`: an amount is due. `paid`: the invoice is paid. `credited`: credit notes alone cover the total. `void`: the invoice was voided. `status`, in contrast, only reports on charges. */
  state: 'open' | 'paid' | 'credited' | 'void';
  /** Whether the buyer owes the tax in place of the seller (reverse charge), as it was when the invoice was issued. The PDF says so. */
  reverseCharge: boolean;
  currency: string;
  /** In percent; empty if the lines have several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  details: LineItem[];
  /** The sum of the rounded lines, with two decimals, or three for a currency with three. */
  subTotal: string;
  /** `subTotal` × `taxRate`, rounded once, half away from zero; with several rates, the sum of the tax in `taxes`. */
  tax: string;
  /** `subTotal` + `tax`. */
  total: string;
  /** The metadata as it was sent. If the invoice is paid with credit, `creditAmount` is added: the amount of credit used. */
  metadata: Record<string, unknown> | null;
  /** The sum of the invoice's credit notes. */
  creditedTotal: string;
  /** The amount that was refunded, to the card, to the PayPal account or as credit. */
  refundedTotal: string;
  /** The date from which the invoice is charged automatically: its issue plus the company's net days. */
  dueAt: string;
  /** When the invoice was voided; null unless it is void. A void invoice can neither be paid nor credited. */
  voidedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** The latest of `attempts`, whether it succeeded or not. A second capture that was accepted as credit is not included. */
  payment: PaymentAttempt | null;
  /** Every attempt to charge the invoice, the oldest first. */
  attempts: PaymentAttempt[];
  collection: InvoiceCollection;
  /** The billing run that issued the invoice; null if the operator issued it. */
  runId: string | null;
};

export type OperatorInvoiceList = {
  total: number;
  page: number;
  perPage: number;
  data: ListedOperatorInvoice[];
};

export type OperatorKey = {
  id: string;
  /** The name of the key. `first` is the name of the initial key, which is read from `OPERATOR_KEY` or the data directory. */
  name: string;
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. `integration` is for the backend of your product: companies with their invitations and sessions, usage, and to read prices and invoices. */
  role: 'viewer' | 'finance' | 'admin' | 'integration';
  /** The first characters of the key. */
  prefix: string;
  createdAt: string;
  /** When the key was last used, to the minute. Null until the first use. */
  lastUsedAt: string | null;
  /** When the key expires. Null for a key that does not expire. */
  expiresAt: string | null;
};

export type OperatorKeyBody = {
  /** Who or what uses the key. The log shows the name. */
  name: string;
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. `integration` is for the backend of your product: companies with their invitations and sessions, usage, and to read prices and invoices. */
  role: 'viewer' | 'finance' | 'admin' | 'integration';
  /** When the key expires, which must be in the future. Null or absent for a key that does not expire. */
  expiresAt?: string | null;
};

export type OperatorKeyList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorKey[];
};

export type OperatorLoginBody = {
  /** The operator key. */
  key: string;
};

export type OperatorMember = {
  /** The id of the user. */
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  role: RoleReference;
  emailVerified: boolean;
  /** Whether the member has a second factor. */
  twoFactor: boolean;
  createdAt: string;
};

export type OperatorMemberList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorMember[];
};

export type OperatorOverview = {
  /** This month and the eleven before it, the oldest first, of each currency that one of them has. */
  months: OverviewMonth[];
  /** What is due on all open invoices, by currency. */
  due: OverviewOpen[];
  /** The part of it that is past its due date, by currency and age. */
  overdue: OverviewAging[];
  /** The part of it whose latest payment failed (the status `Failed`), by currency. */
  failed: OverviewOpen[];
  /** Payments and refunds under review. */
  reviews: number;
  /** Disputes that wait for an answer (`NeedsResponse`). */
  disputes: number;
  /** Alerts that nobody has acknowledged. */
  alerts: number;
  /** Background jobs that are late or failing. */
  jobs: number;
  /** Mails of the last two years that could not be sent: those about money, and, for admins, those about accounts. */
  mails: number;
  /** Webhook endpoints that are failing. */
  endpoints: number;
  /** Why charges are held; null while they are not. */
  hold: OverviewHold | null;
  setup: OperatorSetup;
};

export type OperatorPayment = {
  id: string;
  invoiceId: string;
  cardId: string | null;
  method: 'Card' | 'paypal';
  /** The gateway that was charged; `none` if the invoice is zero or the credit covers all of it. */
  gateway: string;
  /** The amount charged to the card or the PayPal account: the invoice's total minus `creditAmount`. For a second capture that was accepted: the captured amount, which became credit of the company. */
  amount: string;
  /** The amount paid with the company's credit. It is returned if the payment fails. */
  creditAmount: string;
  currency: string;
  status: 'Processing' | 'Succeeded' | 'Failed' | 'RequiresAction' | 'NeedsReview';
  /** Why the payment failed; null unless it failed. `not_sent`: the gateway could not be reached, so nothing was declined. `rejected`: the gateway, not the bank, refused the charge. `superseded`: nothing was charged, because the gateway had captured another payment of the same debt, which counts instead. */
  failureReason: 'declined' | 'not_sent' | 'rejected' | 'canceled' | 'superseded' | null;
  /** Why the bank or PayPal declined the payment, as a code; null if it was not declined. */
  declineCode: string | null;
  /** What confirms the payment; null unless its status is `RequiresAction`. Requests of others than the company, events and mails have `url` and `expiresAt` alone. */
  nextAction: {
    /** The gateway whose script confirms the payment. */
    gateway?: string;
    /** Lets the script of the gateway confirm this payment, and nothing else. */
    clientSecret?: string;
    /** With which the script is started. */
    publishableKey?: string;
    /** The page of the invoice, on which the customer can confirm the payment too. */
    url: string;
    /** Until when the payment waits. */
    expiresAt: string;
  } | null;
  /** `manual`: a person requested the charge. `automatic`: the automatic collection charged the invoice. */
  initiator: 'manual' | 'automatic';
  /** The card that was charged. Null if no card was charged. */
  card: {
    brand: string;
    cardNumber: string;
  } | null;
  /** The PayPal account that was charged. Null if none was charged. */
  paypalAccount: {
    id: string;
    email: string;
  } | null;
  createdAt: string;
  updatedAt: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The `organization` of the company's billing information. If it is empty, the company's name, and without a name its e-mail address. */
  companyName: string;
  invoiceNumber: string;
};

export type OperatorPaymentList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorPayment[];
};

export type OperatorRefund = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  paymentId: string;
  invoiceId: string;
  /** The credit note that was issued with the refund; null if earlier credit notes, which were not refunded yet, cover it. */
  creditNoteId: string | null;
  /** The amount refunded, the part returned as credit included. */
  amount: string;
  /** The amount refunded to the card or the PayPal account. */
  cardAmount: string;
  /** The amount returned to the company as credit. */
  creditAmount: string;
  currency: string;
  /** The reason for the refund, for the books. */
  reason: string;
  /** Who made the refund: `operator`, with this API, or `gateway`, if somebody refunded at the gateway and Paydesk learned of it there. */
  source: 'operator' | 'gateway';
  /** `Processing`: the gateway has not answered yet; Paydesk finds out the outcome. `NeedsReview`: the outcome could not be found out, or the gateway refunded another amount; the operator has to review the refund. */
  status: 'Processing' | 'Succeeded' | 'Failed' | 'NeedsReview';
  createdAt: string;
  updatedAt: string;
  /** The `organization` of the company's billing information. If it is empty, the company's name, and without a name its e-mail address. */
  companyName: string;
};

export type OperatorRefundList = {
  total: number;
  page: number;
  perPage: number;
  data: OperatorRefund[];
};

export type OperatorSetup = {
  /** The seller has a name. */
  seller: boolean;
  /** There is a price. */
  price: boolean;
  /** There is a company. */
  company: boolean;
  /** An invoice was issued. */
  invoice: boolean;
};

export type OperatorUsageThresholdBody = {
  /** A path such as /v1/transcriptions, or a prefix that ends with * and matches all paths that begin with it; * alone matches every path. All when absent. */
  path?: string;
  /** The quantity that the usage of a billing period has to reach. */
  quantity: string | number;
};

export type OperatorWebhookReplayBody = {
  /** The id of an event to send again. */
  eventId?: string;
  /** The beginning of a time range whose events are sent again. Send it with `endAt` instead of `eventId`. */
  startAt?: string;
  /** The end of the time range. An event at this instant is not in it. */
  endAt?: string;
} & ({
  eventId: string;
} | {
  startAt: string;
  endAt: string;
});

export type Overview = {
  /** What is due, by currency. */
  due: OverviewDue[] | null;
  /** How many open invoices have the status `Failed`: the latest payment failed. */
  failed: number | null;
  /** The usage of this month and of the last one. */
  usage: OverviewUsage | null;
  setup: OverviewSetup;
};

export type OverviewAging = {
  currency: string;
  /** Overdue for up to 30 days. */
  days1To30: string;
  /** Overdue for more than 30 and up to 60 days. */
  days31To60: string;
  /** Overdue for more than 60 and up to 90 days. */
  days61To90: string;
  /** Overdue for more than 90 days. */
  over90: string;
};

export type OverviewDue = {
  currency: string;
  /** What is due of all open invoices in this currency. */
  amount: string;
  /** How many of them there are. */
  invoices: number;
  /** What of it is overdue. */
  overdueAmount: string;
  /** How many of these invoices are overdue. */
  overdueInvoices: number;
  /** When the next invoice is due that is not overdue yet; null without one. */
  nextDueAt: string | null;
};

export type OverviewHold = {
  reason: string;
  since: string;
  /** Who holds charges: `CHARGES=held`, the database for all processes, or this process alone. */
  by: 'configuration' | 'database' | 'process';
};

export type OverviewMonth = {
  /** A calendar month, in UTC. */
  month: string;
  currency: string;
  /** What was invoiced with tax, without what was credited or void in this month. */
  billed: string;
  /** What the gateways took. */
  collected: string;
  /** What the gateways refunded. */
  refunded: string;
};

export type OverviewOpen = {
  currency: string;
  /** What is due of these invoices. */
  amount: string;
  /** How many they are. */
  invoices: number;
};

export type OverviewSetup = {
  /** Whether the company has saved an address. */
  address: boolean | null;
  /** Whether it has saved a card. */
  card: boolean | null;
  /** Whether its billing information has a country, and an organization or a last name. */
  billingInformation: boolean | null;
  /** Whether it has another member, or has invited somebody. */
  colleague: boolean | null;
};

export type OverviewUsage = {
  /** The usage of all paths in this calendar month (UTC), until now. */
  thisMonth: string;
  /** The usage of all paths in the calendar month before. */
  lastMonth: string;
};

export type OwnCompany = {
  id: string;
  /** The text is empty when the field is unset. */
  name: string;
  /** The text is empty when the field is unset. */
  phone: string;
  /** The text is empty when the field is unset. */
  address: string;
  /** The text is empty when the field is unset. */
  describe: string;
  /** The text is empty when the field is unset. */
  email: string;
};

export type OwnCompanyBody = {
  name?: string;
  phone?: string;
  address?: string;
  describe?: string;
  email?: string;
};

export type OwnMailSettingsBody = {
  /** The addresses that each mail about money goes to. When empty, the mails go to the members who have both `platform.admins.all` and `platform.roles.all`, or, if there are none, to the company's e-mail. */
  recipients?: string[];
  /** The language of the mails about money. One without texts of its own in mails (`it` and those after it) stands for English. */
  language?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'ja';
  /** The types of mails that the company does not get. */
  disabled?: ('invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement')[];
};

export type Passkey = {
  id: string;
  name: string;
  created_at: string;
  /** When the passkey was last used for a login. Null until the first login. */
  last_used_at: string | null;
  /** Whether the authenticator has copied the passkey to other devices. */
  backed_up: boolean;
};

export type PasskeyAnswer = {
  error: null;
  data: Passkey;
};

export type PasskeyCreated = {
  error: null;
  data: {
    id: string;
    name: string;
    created_at: string;
    /** When the passkey was last used for a login. Null until the first login. */
    last_used_at: string | null;
    /** Whether the authenticator has copied the passkey to other devices. */
    backed_up: boolean;
    /** The recovery codes. Each code works once, instead of a code of the app or a passkey. They are shown only now. Null unless this is the first second factor of the user. */
    recovery_codes: string[] | null;
  };
};

export type PasskeyCreationAnswer = {
  error: null;
  data: PublicKeyCredentialCreationOptionsJSON;
};

export type PasskeyList = {
  error: null;
  data: Passkey[];
};

export type PasskeyLoginBody = {
  passkey: AuthenticationResponseJSON;
};

export type PasskeyOptionsBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type PasskeyRequestAnswer = {
  error: null;
  data: PublicKeyCredentialRequestOptionsJSON;
};

export type PasswordChangeBody = {
  /** The password of the account. Leave it out only if the account has no password. */
  current_password?: string;
  /** The password must have more than 8 characters, at most 256 bytes, an uppercase letter, a lowercase letter, a digit and a special character. Paydesk refuses common and breached passwords, and passwords that consist of the e-mail address or the name. */
  new_password: string;
};

export type PasswordResetBody = {
  /** The token of the link in the mail. It works once, until it expires or a newer token replaces it. */
  token: string;
  /** The password must have more than 8 characters, at most 256 bytes, an uppercase letter, a lowercase letter, a digit and a special character. Paydesk refuses common and breached passwords, and passwords that consist of the e-mail address or the name. */
  new_password: string;
};

export type Payment = {
  id: string;
  invoiceId: string;
  cardId: string | null;
  method: 'Card' | 'paypal';
  /** The gateway that was charged; `none` if the invoice is zero or the credit covers all of it. */
  gateway: string;
  /** The amount charged to the card or the PayPal account: the invoice's total minus `creditAmount`. For a second capture that was accepted: the captured amount, which became credit of the company. */
  amount: string;
  /** The amount paid with the company's credit. It is returned if the payment fails. */
  creditAmount: string;
  currency: string;
  status: 'Processing' | 'Succeeded' | 'Failed' | 'RequiresAction' | 'NeedsReview';
  /** Why the payment failed; null unless it failed. `not_sent`: the gateway could not be reached, so nothing was declined. `rejected`: the gateway, not the bank, refused the charge. `superseded`: nothing was charged, because the gateway had captured another payment of the same debt, which counts instead. */
  failureReason: 'declined' | 'not_sent' | 'rejected' | 'canceled' | 'superseded' | null;
  /** Why the bank or PayPal declined the payment, as a code; null if it was not declined. */
  declineCode: string | null;
  /** What confirms the payment; null unless its status is `RequiresAction`. Requests of others than the company, events and mails have `url` and `expiresAt` alone. */
  nextAction: {
    /** The gateway whose script confirms the payment. */
    gateway?: string;
    /** Lets the script of the gateway confirm this payment, and nothing else. */
    clientSecret?: string;
    /** With which the script is started. */
    publishableKey?: string;
    /** The page of the invoice, on which the customer can confirm the payment too. */
    url: string;
    /** Until when the payment waits. */
    expiresAt: string;
  } | null;
  /** `manual`: a person requested the charge. `automatic`: the automatic collection charged the invoice. */
  initiator: 'manual' | 'automatic';
  /** The card that was charged. Null if no card was charged. */
  card: {
    brand: string;
    cardNumber: string;
  } | null;
  /** The PayPal account that was charged. Null if none was charged. */
  paypalAccount: {
    id: string;
    email: string;
  } | null;
  createdAt: string;
  updatedAt: string;
};

export type PaymentAttempt = {
  id: string;
  invoiceId: string;
  cardId: string | null;
  method: 'Card' | 'paypal';
  /** The gateway that was charged; `none` if the invoice is zero or the credit covers all of it. */
  gateway: string;
  /** The amount charged to the card or the PayPal account: the invoice's total minus `creditAmount`. For a second capture that was accepted: the captured amount, which became credit of the company. */
  amount: string;
  /** The amount paid with the company's credit. It is returned if the payment fails. */
  creditAmount: string;
  currency: string;
  status: 'Processing' | 'Succeeded' | 'Failed' | 'RequiresAction' | 'NeedsReview';
  /** Why the payment failed; null unless it failed. `not_sent`: the gateway could not be reached, so nothing was declined. `rejected`: the gateway, not the bank, refused the charge. `superseded`: nothing was charged, because the gateway had captured another payment of the same debt, which counts instead. */
  failureReason: 'declined' | 'not_sent' | 'rejected' | 'canceled' | 'superseded' | null;
  /** Why the bank or PayPal declined the payment, as a code; null if it was not declined. */
  declineCode: string | null;
  /** What confirms the payment; null unless its status is `RequiresAction`. Requests of others than the company, events and mails have `url` and `expiresAt` alone. */
  nextAction: {
    /** The gateway whose script confirms the payment. */
    gateway?: string;
    /** Lets the script of the gateway confirm this payment, and nothing else. */
    clientSecret?: string;
    /** With which the script is started. */
    publishableKey?: string;
    /** The page of the invoice, on which the customer can confirm the payment too. */
    url: string;
    /** Until when the payment waits. */
    expiresAt: string;
  } | null;
  /** `manual`: a person requested the charge. `automatic`: the automatic collection charged the invoice. */
  initiator: 'manual' | 'automatic';
  /** The card that was charged. Null if no card was charged. */
  card: {
    brand: string;
    cardNumber: string;
  } | null;
  /** The PayPal account that was charged. Null if none was charged. */
  paypalAccount: {
    id: string;
    email: string;
  } | null;
  createdAt: string;
  updatedAt: string;
  /** The disputes of the invoice's payments, the oldest first. */
  disputes: Dispute[];
  /** The refunds of the payment, the oldest first. */
  refunds: PaymentRefund[];
};

export type PaymentCapturedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'payment.captured';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Payment;
};

export type PaymentFailedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'payment.failed';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Payment;
};

export type PaymentNeedsReviewEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'payment.needs_review';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Payment;
};

export type PaymentRefund = {
  id: string;
  /** The amount refunded, the part returned as credit included. */
  amount: string;
  /** The amount returned to the company as credit. */
  creditAmount: string;
  currency: string;
  /** `Processing`: the gateway has not answered yet; Paydesk finds out the outcome. `NeedsReview`: the outcome could not be found out, or the gateway refunded another amount; the operator has to review the refund. */
  status: 'Processing' | 'Succeeded' | 'Failed' | 'NeedsReview';
  createdAt: string;
  updatedAt: string;
};

export type PaymentRequiresActionEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'payment.requires_action';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Payment;
};

export type PaymentStartedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'payment.started';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Payment;
};

export type PaypalAccount = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  method: 'paypal';
  /** The e-mail address of the PayPal account. */
  email: string;
  isDefault: boolean;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
};

export type PaypalAccountCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'paypal_account.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: PaypalAccount;
};

export type PaypalAccountDeletedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'paypal_account.deleted';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: PaypalAccount;
};

export type PaypalAccountList = PaypalAccount[];

export type PaypalAccountUpdatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'paypal_account.updated';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: PaypalAccount;
};

export type PermissionFlags = {
  all: boolean;
  view: boolean;
};

export type PermissionFlagsBody = {
  all: boolean;
  view: boolean;
};

export type PermissionFlagsOfSessionBody = {
  all: boolean;
  view: boolean;
};

export type Permissions = {
  platform: {
    applications: PermissionFlags;
    admins: PermissionFlags;
    roles: PermissionFlags;
    billing: PermissionFlags;
  };
  application: {
    applications: null;
    tickets: PermissionFlags;
    agents: PermissionFlags;
    customers: PermissionFlags;
    live_map: PermissionFlags;
    labels: PermissionFlags;
    settings: PermissionFlags;
  };
};

export type PermissionsBody = {
  platform: {
    applications: PermissionFlagsBody;
    admins: PermissionFlagsBody;
    roles: PermissionFlagsBody;
    billing: PermissionFlagsBody;
  };
  application: {
    applications: null;
    tickets: PermissionFlagsBody;
    agents: PermissionFlagsBody;
    customers: PermissionFlagsBody;
    live_map: PermissionFlagsBody;
    labels: PermissionFlagsBody;
    settings: PermissionFlagsBody;
  };
};

export type PermissionsOfSessionBody = {
  platform: {
    applications: PermissionFlagsOfSessionBody;
    admins: PermissionFlagsOfSessionBody;
    roles: PermissionFlagsOfSessionBody;
    billing: PermissionFlagsOfSessionBody;
  };
  application: {
    applications: null;
    tickets: PermissionFlagsOfSessionBody;
    agents: PermissionFlagsOfSessionBody;
    customers: PermissionFlagsOfSessionBody;
    live_map: PermissionFlagsOfSessionBody;
    labels: PermissionFlagsOfSessionBody;
    settings: PermissionFlagsOfSessionBody;
  };
};

export type Price = {
  id: string;
  /** The company of the override; null for a general price. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** A path such as /v1/transcriptions, or a prefix that ends with *: /v1/* matches every path that begins with /v1/, and * matches every path. */
  path: string;
  title: string;
  currency: string;
  /** When the price begins: an instant, or a month if a month was set. */
  effectiveFrom: string;
  /** When the price ends: its own end or the start of the next version, whichever comes first; null if neither is set. */
  effectiveTo: string | null;
  /** `flat`: each request costs the same. `package`: requests are sold in packages. `graduated`: each request costs the price of the tier that it falls into. `volume`: all requests cost the price of the tier that the last request falls into. */
  model: 'flat' | 'package' | 'graduated' | 'volume';
  /** With `flat`: the price of each request. A decimal string in major units, with up to 12 decimals. */
  unitAmount?: string;
  /** With `package`: the price of each package. A package that is only partly used is charged in full. A decimal string in major units, with up to 12 decimals. */
  packageAmount?: string;
  /** With `package`: the number of requests in a package. */
  packageSize?: number;
  /** The tiers, with `graduated` and `volume`. */
  tiers?: PriceTier[];
  /** The number of free requests in each billing period and for each version. Tiers and packages count only the requests after them. */
  freeRequests: number;
  /** For a prefix. True: the requests of all matching paths are counted together, as one invoice line whose path is the prefix. False: each path is rated by itself. */
  pooled: boolean;
  createdAt: string;
  updatedAt: string;
};

export type PriceList = {
  total: number;
  page: number;
  perPage: number;
  data: Price[];
};

export type PriceQuote = {
  /** Net, rounded once to the minor unit of the currency. */
  amount: string;
  currency: string;
  /** The version of the price that applies; null when the path has none, and the amount is zero. */
  priceId: string | null;
  /** What makes up the amount, in order: free requests first, then tiers. */
  lines: PriceQuoteLine[];
};

export type PriceQuoteLine = {
  /** How many requests, or packages, or 1 for the flat amount of a tier. */
  quantity: string;
  /** What one costs; `0` for free requests. */
  unitAmount: string;
  /** Exact, not rounded. */
  amount: string;
};

export type PriceTier = {
  /** The last request of the tier, not counting free requests. Ascending; null in the last tier, which has no end. */
  upTo: number | null;
  /** The price of each request. A decimal string in major units, with up to 12 decimals. */
  unitAmount: string;
  /** A fixed amount, charged once when the first request falls into this tier; 0 when absent. A decimal string in major units, with up to 12 decimals. */
  flatAmount?: string;
};

export type PriceTierBody = {
  /** The last request of the tier, not counting free requests. Ascending; null in the last tier, which has no end. */
  upTo: number | null;
  /** The price of each request. A decimal string in major units, with up to 12 decimals. */
  unitAmount: string;
  /** A fixed amount, charged once when the first request falls into this tier; 0 when absent. A decimal string in major units, with up to 12 decimals. */
  flatAmount?: string;
};

export type ProfileAnswer = {
  error: null;
  data: UserProfile;
};

export type ProfileBody = {
  first_name?: string;
  last_name?: string;
  /** A phone number. An empty text unsets the field. */
  phone?: string;
  /** The country of the user. An empty text unsets the field. */
  country?: string;
  /** The city of the user. An empty text unsets the field. */
  city?: string;
  /** The https URL of a picture. An empty text unsets the field. */
  avatar?: string;
  /** A BCP 47 language tag. Mails to the user are in this language. An empty text unsets the field. */
  language?: string;
  /** An IANA time zone. An empty text unsets the field. */
  timezone?: string;
  /** The application that the platform opens first. An empty text unsets the field. */
  default_app?: string;
};

/** The options for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export type PublicKeyCredentialCreationOptionsJSON = {
  rp: {
    name: string;
    id: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  /** The challenge works once, for five minutes. */
  challenge: string;
  pubKeyCredParams: {
    alg: number;
    type: string;
  }[];
  /** The time limit in milliseconds. */
  timeout: number;
  attestation: string;
  excludeCredentials: PublicKeyCredentialDescriptorJSON[];
  authenticatorSelection: {
    residentKey: string;
    requireResidentKey: boolean;
    userVerification: string;
  };
  extensions: {
    credProps: boolean;
  };
};

export type PublicKeyCredentialDescriptorJSON = {
  type: string;
  id: string;
  transports?: string[];
};

/** The options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export type PublicKeyCredentialRequestOptionsJSON = {
  rpId: string;
  /** The challenge works once, for five minutes. */
  challenge: string;
  /** The time limit in milliseconds. */
  timeout: number;
  userVerification: string;
  allowCredentials?: PublicKeyCredentialDescriptorJSON[];
};

export type Readiness = {
  status: string;
  charges: 'on' | 'held';
  /** Why charges are held. Absent while they are not. */
  reason?: string;
  /** Since when charges are held. Absent while they are not. */
  since?: string;
};

export type RecomputedInvoice = {
  invoiceId: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  number: string;
  /** The month that was billed. */
  period: string;
  startAt: string;
  endAt: string;
  /** Usage that was stored up to this cutoff is on the invoice; later usage is not. */
  cutoff: number;
  currency: string;
  /** The tax rate in percent at that time. */
  taxRate: string;
  lateUsage: LateUsage;
  /** Usage of earlier periods that was stored after this cutoff is on the invoice too, as late usage; null if no late usage was possible. */
  lateAfterCutoff: number | null;
  /** True if the computed invoice equals the issued one. */
  matches: boolean;
  /** The differences; empty if everything matches. */
  differences: InvoiceDifference[];
  /** The value on the invoice. */
  issued: {
    details: LineItem[];
    subTotal: string;
    tax: string;
    total: string;
  };
  /** The value computed today from the same usage and prices. */
  recomputed: {
    details: LineItem[];
    subTotal: string;
    tax: string;
    total: string;
  };
};

export type Reconciliation = {
  gateway: string;
  /** All configured gateways, including this one. Each has books of its own, so compare them one by one. */
  gateways: string[];
  /** The beginning of the period that is compared. */
  from: string;
  /** Its end, which is not part of it. */
  to: string;
  /** The number of entries that this page compared, counted separately for each side. */
  compared: number;
  /** The number of payments and refunds of this page that were left out, because another installation made them through the same account. */
  ofOtherInstallations: number;
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
  differences: ReconciliationDifference[];
};

export type ReconciliationDifference = {
  /** `missing_here`: the gateway has the record, Paydesk lacks it. `missing_there`: Paydesk has the record, the gateway lacks it. `amount`: the amounts or currencies differ. `state`: the gateway took or returned the money, and Paydesk has not recorded that (yet); for a dispute, the states differ. `POST /operator/refunds` and `POST /operator/disputes` read a missing refund or dispute, or the state of a dispute, from the gateway and record it. Paydesk reads missing fees and payouts by itself. */
  kind: 'missing_here' | 'missing_there' | 'amount' | 'state';
  /** For a `dispute`, the amount is the money withdrawn for it. If a dispute is about several payments and the gateway does not report the share of each, the amount is the whole disputed amount. A `payout` is compared as a whole, also where only a part of it is from payments of Paydesk. */
  entry: 'payment' | 'refund' | 'dispute' | 'fee' | 'payout';
  /** The id of the record at the gateway. */
  gatewayId: string | null;
  /** The gateway's id of the payment that the record belongs to; for a payment, the same as `gatewayId`. Null for a payout. */
  gatewayPaymentId: string | null;
  /** The id of the record in Paydesk. */
  id: string | null;
  /** The company that the record belongs to. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The invoice that the record belongs to. */
  invoiceId: string | null;
  /** The record in the books of Paydesk. */
  here: {
    amount: string;
    currency: string;
    status: string;
  } | null;
  /** The record in the books of the gateway. */
  there: {
    amount: string;
    currency: string;
    status: string;
  } | null;
  /** For a payment that Paydesk made at the gateway and that is `missing_here`: what the payment was made for, according to the gateway, and whether Paydesk has an invoice of that debt. Charging that invoice finds the capture, which pays it. Null for all other differences. */
  purpose: {
    debt: string | null;
    companyId: string | null;
    companyExternalId?: string | null;
    invoiceId: string | null;
    invoiceNumber: string | null;
    isInvoiceHere: boolean;
  } | null;
};

export type RecordLabels = LabeledRecord | LabeledRecords;

export type Recovery = {
  hold: RecoveryHold;
  journals: RecoveryJournal[];
  cases: RecoveryCaseCounts;
};

export type RecoveryCase = {
  id: string;
  /** Where the missing record was found: at a gateway or in a journal. */
  source: 'gateway' | 'journal';
  /** The kind of the record. An object at a gateway is a `payment` or a `refund`. An entry of a journal can also be a `company`, an `invoice`, a `void`, a `credit_note` or a `credit_entry`. `open_invoices` stands for the invoices that wait for a release. Further kinds may be added. */
  kind: string;
  /** The company that the case is about. Null if it is unknown. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The invoice that the case is about; null where it is unknown. */
  invoiceId: string | null;
  /** The number of the document, or of the invoice that the case is about. */
  number: string | null;
  /** The gateway that has the object; null for an entry of a journal. */
  gateway: string | null;
  /** The gateway's id of the object. */
  gatewayObjectId: string | null;
  /** The amount in major units. Null if the case has no amount, or is done. */
  amount: string | null;
  /** The currency of the amount. Null if it is not known. */
  currency: string | null;
  happenedAt: string;
  /** `open`: not processed yet. `done`: the database has the record again, or does not need it. `person`: a person has to decide. */
  state: 'open' | 'done' | 'person';
  /** A sentence that says what will be done about an open case; null otherwise. */
  plan: string | null;
  /** What was done. If a person has to decide, it says what is known and which command carries out each decision. Null while the case is open. */
  note: string | null;
  /** When a person acknowledged the alert of the case. */
  acknowledgedAt: string | null;
};

export type RecoveryCaseCounts = {
  open: number;
  /** The number of cases that wait for a person, without `open_invoices` and without cases whose alert was acknowledged. */
  person: number;
  done: number;
};

export type RecoveryCaseList = {
  total: number;
  page: number;
  perPage: number;
  data: RecoveryCase[];
};

export type RecoveryCodesAnswer = {
  error: null;
  data: {
    /** The recovery codes. Each code works once, instead of a code of the app or a passkey. They are shown only now. */
    recovery_codes: string[];
  };
};

/** The hold; null while the database does not hold charges. */
export type RecoveryHold = {
  id: string;
  /** Why charges are held, as a sentence for people. */
  reason: string;
  since: string;
  /** The hold does not end before this time, because gateways list a new object only after some time. It ends with a comparison that finds nothing missing. */
  until: string;
  /** The gateways are compared from this time on; null before the first comparison. */
  comparedFrom: string | null;
  /** When the last comparison (pass) began; null before the first one. */
  lastPassAt: string | null;
  /** The number of open cases after the last comparison; null before the first one. */
  found: number | null;
} | null;

export type RecoveryJournal = {
  id: string;
  /** The machine that keeps the journal. */
  host: string;
  directory: string;
  /** Whether a running process keeps the journal. */
  isKept: boolean;
  seenAt: string;
  /** When the journal was last read completely during a hold. */
  readAt: string | null;
  /** An object at a gateway that no journal mentions, unless it was declared lost. Either a journal was restored to an earlier state together with the database, or a journal is missing. A hold does not end while there is one. */
  lacks: string | null;
  /** When the journal was declared lost. */
  lostAt: string | null;
  /** Whether the hold waits for the journal: it was neither read completely during the hold nor declared lost. */
  missing: boolean;
};

export type RecoveryPass = {
  /** Whether the database holds charges after the comparison. */
  held: boolean;
  /** The number of open cases. */
  found: number;
};

export type RefreshAnswer = {
  error: null;
  data: AuthData | CustomerSessionData | ConsoleSessionData | CompanyView;
};

export type RefreshBody = {
  /** The refresh token of the last sign-up, login or refresh. Required without `?session=`, and ignored with it. */
  refresh_token?: string;
};

export type Refund = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  paymentId: string;
  invoiceId: string;
  /** The credit note that was issued with the refund; null if earlier credit notes, which were not refunded yet, cover it. */
  creditNoteId: string | null;
  /** The amount refunded, the part returned as credit included. */
  amount: string;
  /** The amount refunded to the card or the PayPal account. */
  cardAmount: string;
  /** The amount returned to the company as credit. */
  creditAmount: string;
  currency: string;
  /** The reason for the refund, for the books. */
  reason: string;
  /** Who made the refund: `operator`, with this API, or `gateway`, if somebody refunded at the gateway and Paydesk learned of it there. */
  source: 'operator' | 'gateway';
  /** `Processing`: the gateway has not answered yet; Paydesk finds out the outcome. `NeedsReview`: the outcome could not be found out, or the gateway refunded another amount; the operator has to review the refund. */
  status: 'Processing' | 'Succeeded' | 'Failed' | 'NeedsReview';
  createdAt: string;
  updatedAt: string;
};

export type RefundBody = {
  /** The amount to refund, with no more decimals than the currency has. When absent: all that is left. */
  amount?: string | number;
  /** The reason for the refund, for the books. */
  reason: string;
};

export type RefundCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'refund.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Refund;
};

export type RefundFailedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'refund.failed';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Refund;
};

export type RefundList = {
  total: number;
  page: number;
  perPage: number;
  data: Refund[];
};

export type RefundNeedsReviewEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'refund.needs_review';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Refund;
};

export type RefundSucceededEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'refund.succeeded';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: Refund;
};

/** The new passkey, as its `toJSON()` returns it in the browser (`RegistrationResponseJSON` of WebAuthn). */
export type RegistrationResponseJSON = {
  id: string;
  /** The same value as `id`. */
  rawId: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[];
  };
};

export type RenewRecoveryCodesBody = {
  /** The code that the authenticator app shows, or a recovery code. */
  code: string;
};

export type ResolveCaseBody = {
  /** `accepted`: a second capture of a debt becomes credit of its company. `refunded`: a capture that pays no invoice is refunded. `released`: invoices that wait are charged again; only for a case of the kind `open_invoices`. */
  outcome: 'accepted' | 'refunded' | 'released';
  /** With `released`: the numbers of the invoices, in upper or lower case. When absent, all invoices that wait are released. */
  invoices?: string[];
};

export type ResolvePaymentBody = {
  /** The outcome that a person found. It decides if the gateway cannot answer: it does not know the payment, or is no longer configured. Otherwise the outcome has to agree with the gateway. If the gateway captured another amount than was due, a person decides. `succeeded` accepts the capture: a lower amount becomes a part payment, and the excess of a higher amount becomes credit. `refunded` refunds all of the capture at the gateway. */
  outcome?: 'succeeded' | 'failed' | 'refunded';
};

export type ResolveRefundBody = {
  /** The outcome that a person found at the gateway. `failed`: nothing was refunded. */
  outcome: 'succeeded' | 'failed';
  /** The id of the refund at the gateway. Required if Paydesk's own id does not find the refund (for example because it was made by hand), or if its amount differs; sending the id accepts that amount. */
  gatewayRefundId?: string;
};

export type ResyncDisputeBody = {
  /** The gateway of the dispute, which must be configured. */
  gateway: 'stripe' | 'paypal';
  /** The id of the dispute at the gateway: `dp_…` at Stripe, `PP-D-…` at PayPal. */
  gatewayDisputeId: string;
};

export type ResyncRefundsBody = {
  /** The gateway of the payment, which must be configured. */
  gateway: 'sandbox' | 'stripe' | 'paypal';
  /** The gateway's id of the payment whose refunds are read: `pi_…` at Stripe, the order's at PayPal. `GET /operator/reconciliation` returns this id for each difference. */
  gatewayPaymentId: string;
};

export type ResyncedDisputes = {
  data: Dispute[];
};

export type ResyncedRefunds = {
  data: Refund[];
};

export type Role = {
  id: string;
  name: string;
  description: string;
  /** Whether the role is a system role. Every company has the system roles, and nobody can change them. */
  category: 'SYSTEM ROLE' | 'CUSTOM ROLE';
  permission: Permissions;
};

export type RoleList = {
  total: number;
  page: number;
  per_page: number;
  data: Role[];
};

export type RoleReference = {
  id: string;
  name: string;
};

export type SandboxChallengeAnswer = {
  status: 'succeeded' | 'failed';
};

export type SandboxChallengeBody = {
  /** Of the setup or the payment. */
  clientSecret: string;
  /** What the holder answers. */
  outcome: 'succeed' | 'fail';
};

export type SandboxSetupAnswer = {
  /** `requires_action`: the bank asks the holder; `POST /gateways/sandbox/challenges` answers. */
  status: 'succeeded' | 'requires_action';
};

export type SandboxSetupBody = {
  /** Of the setup or the payment. */
  clientSecret: string;
  card?: {
    /** 12 to 19 digits. Spaces and dashes are removed. Paydesk sends the number to the gateway, does not store it, and returns it masked. */
    number: string;
    /** The name on the card. It must not contain a card number. */
    name: string;
    expMonth: number;
    /** Four digits, or two digits that stand for 20xx. A card that has expired is refused. */
    expYear: number;
    /** 3 or 4 digits. Paydesk does not store the code and never returns it. */
    cvv: string;
    country: string;
  };
  sepaDebit?: {
    /** Of an account in SEPA. Spaces are removed. Paydesk stores its country and its last four characters. */
    iban: string;
    /** The holder of the account. */
    name: string;
    /** A real gateway announces each debit to it. The sandbox keeps nothing of it. */
    email: string;
  };
  /** True: the holder of the account accepts the mandate. */
  mandateAccepted?: boolean;
} & ({
  card: {
    /** 12 to 19 digits. Spaces and dashes are removed. Paydesk sends the number to the gateway, does not store it, and returns it masked. */
    number: string;
    /** The name on the card. It must not contain a card number. */
    name: string;
    expMonth: number;
    /** Four digits, or two digits that stand for 20xx. A card that has expired is refused. */
    expYear: number;
    /** 3 or 4 digits. Paydesk does not store the code and never returns it. */
    cvv: string;
    country: string;
  };
} | {
  sepaDebit: {
    /** Of an account in SEPA. Spaces are removed. Paydesk stores its country and its last four characters. */
    iban: string;
    /** The holder of the account. */
    name: string;
    /** A real gateway announces each debit to it. The sandbox keeps nothing of it. */
    email: string;
  };
  mandateAccepted: boolean;
});

export type SecondFactorBody = {
  /** The `data.second_factor.token` of the login. */
  token: string;
  /** The code that the authenticator app shows. Send exactly one of `code`, `recovery_code` and `passkey`. */
  code?: string;
  recovery_code?: string;
  passkey?: AuthenticationResponseJSON;
};

export type SecondFactorDemanded = {
  second_factor: {
    /** The token to send to `POST /auth/local/second-factor`. It works for five minutes and five attempts. */
    token: string;
    /** The second factors that the user has. */
    methods: ('totp' | 'recovery_code' | 'passkey')[];
    passkey_options?: PublicKeyCredentialRequestOptionsJSON;
  };
};

export type Seller = {
  /** The name of the seller. Empty until it is set. */
  name: string;
  addressLines: string[];
  taxId: string;
  email: string;
  footerText: string;
  legalNote: string;
  updatedAt: string;
};

export type SellerBody = {
  /** The name of the seller, as the documents show it. */
  name?: string;
  /** The postal address, as it is written on a letter. */
  addressLines?: string[];
  taxId?: string;
  /** Where customers send questions. */
  email?: string;
  /** The text at the end of each invoice on which something is due. Use it to say how to pay. Line breaks are kept. */
  footerText?: string;
  /** The text at the end of each invoice and credit note. Use it for the register and the directors. Line breaks are kept. */
  legalNote?: string;
};

export type Session = {
  id: string;
  created_at: string;
  last_used_at: string;
  /** The IP address that last used the session. */
  ip: string;
  /** The `User-Agent` that last used the session, at most 255 characters. Empty if there was none. */
  user_agent: string;
  /** Whether the request belongs to this session. */
  current: boolean;
};

export type SessionCodeBody = {
  /** The `code` after the `#` of the `url` of a customer session. */
  code: string;
};

export type SessionList = {
  error: null;
  data: Session[];
};

export type SetLabelsBody = {
  type: 'agent' | 'ticket' | 'customer';
  /** For an agent, the id of the user. For a ticket or a customer, the id that your own service uses. */
  id: string;
  /** The ids of all labels that the record has afterwards. An empty list removes all labels. */
  label_ids: string[];
};

export type SignInLink = {
  id: string;
  /** The name of the provider that last used the link. Null if it is not known. */
  provider: string | null;
  /** The issuer of the provider. */
  issuer: string;
  /** The e-mail address of the account at the provider when the link was last used. Null if it is not known. */
  email: string | null;
  created_at: string;
  /** When the link was last used. Null if it is not known. */
  last_used_at: string | null;
};

export type SignInLinkAnswer = {
  error: null;
  data: {
    /** The address to open in the browser. It works for ten minutes, and only in the browser that received this answer. */
    url: string;
  };
};

export type SignInLinkBody = {
  /** The name of the provider. */
  provider: string;
  /** The password of the account. Leave it out only if the account has no password. */
  password?: string;
};

export type SignInLinkList = {
  error: null;
  data: SignInLink[];
};

export type SignInProvider = {
  /** The name of the provider. It is part of the addresses of the sign-in. */
  name: string;
  /** The issuer exactly as the provider writes it. The provider serves `/.well-known/openid-configuration` below this URL. It must be https at a public address. A host in `SIGN_IN_ALLOWED_HOSTS` and this machine may also have another address and use http. */
  issuer: string;
  /** The id that the provider has given this service as a client. */
  clientId: string;
  /** The e-mail domains that may sign in. Upper and lower case count as the same. An empty list stands for all domains. A provider of a company needs at least one domain. */
  emailDomains: string[];
  /** The company whose members sign in with the provider. Null for a provider that logs in to existing accounts of all companies. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The role that the provider gives to new members of the company: `Viewer` by default. Null without a company. */
  roleId: string | null;
};

export type SignInProviderBody = {
  /** The issuer exactly as the provider writes it. The provider serves `/.well-known/openid-configuration` below this URL. It must be https at a public address. A host in `SIGN_IN_ALLOWED_HOSTS` and this machine may also have another address and use http. */
  issuer?: string;
  /** The id that the provider has given this service as a client. */
  clientId?: string;
  /** The secret that the provider has given this service as a client. Paydesk stores it encrypted and never returns it. A new `issuer` needs a new secret. */
  clientSecret?: string;
  /** The e-mail domains that may sign in. Upper and lower case count as the same. An empty list stands for all domains. A provider of a company needs at least one domain. */
  emailDomains?: string[];
  /** The company whose members sign in with the provider. Null for a provider that logs in to existing accounts of all companies. A UUID, or `external:` followed by the external id. */
  companyId?: string | null;
  /** The role that the provider gives to new members of the company: `Viewer` by default. Null without a company. */
  roleId?: string | null;
};

export type SignInProviderList = {
  total: number;
  page: number;
  perPage: number;
  data: SignInProvider[];
};

export type SignUpBody = {
  first_name: string;
  last_name: string;
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
  /** The password must have more than 8 characters, at most 256 bytes, an uppercase letter, a lowercase letter, a digit and a special character. A sign-up refuses common and breached passwords, and passwords that consist of the e-mail address or the name. */
  password: string;
};

export type Staff = {
  /** The id of the account, which is also the id of the invitation. */
  id: string;
  email: string;
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. */
  role: 'viewer' | 'finance' | 'admin';
  status: 'invited' | 'active';
  createdAt: string;
};

export type StaffBody = {
  /** An e-mail address. Upper and lower case count as the same. */
  email: string;
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. */
  role: 'viewer' | 'finance' | 'admin';
};

export type StaffList = {
  total: number;
  page: number;
  perPage: number;
  data: Staff[];
};

export type StaffRoleBody = {
  /** `viewer` can read. `finance` can also change payments and documents. `admin` can do everything. */
  role: 'viewer' | 'finance' | 'admin';
};

export type TaxAmount = {
  /** The tax rate in percent. */
  rate: string;
  /** The total of the lines with this rate. */
  net: string;
  /** net × rate, rounded once, half away from zero. */
  tax: string;
};

export type TokenBody = {
  /** The token of the link in the mail. It works once, until it expires or a newer token replaces it. */
  token: string;
};

export type TotpAnswer = {
  error: null;
  data: TotpSecret;
};

export type TotpConfirmed = {
  error: null;
  data: {
    /** The recovery codes. Each code works once, instead of a code of the app or a passkey. They are shown only now. Null unless this is the first second factor of the user. */
    recovery_codes: string[] | null;
  };
};

export type TotpSecret = {
  /** The secret in base32, to type into the app. */
  secret: string;
  /** The address that the QR code contains. */
  uri: string;
  /** The QR code as an SVG image in a data URL. */
  qr: string;
};

export type TotpState = {
  error: null;
  data: {
    /** Whether TOTP is on: a secret is confirmed. */
    enabled: boolean;
  };
};

export type UnattributedUsage = {
  /** The external id that no company has. */
  externalId: string;
  /** The number of events that wait. */
  events: number;
  /** Their total quantity. */
  quantity: string;
  /** When the first of them came. */
  firstAt: string;
  /** When the last of them came. */
  lastAt: string;
};

export type UnattributedUsageList = {
  total: number;
  page: number;
  perPage: number;
  data: UnattributedUsage[];
};

export type UnpricedPath = {
  path: string;
  /** The number of companies that used the path. */
  companies: number;
};

export type UpcomingInvoice = {
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** The month of the upcoming invoice. */
  period: string;
  startAt: string;
  endAt: string;
  /** The `method` that a billing run would now give an invoice of the company. */
  method: 'Card' | 'paypal';
  currency: string;
  /** In percent; empty if the lines have several rates, see `taxes`. */
  taxRate: string;
  /** The totals by tax rate, the lowest rate first. */
  taxes: TaxAmount[];
  details: LineItem[];
  subTotal: string;
  tax: string;
  total: string;
  /** Paths that have no price yet. */
  unpricedPaths: string[];
};

export type UpdateCardBody = {
  /** True makes this card the default, which is charged. Unchanged when absent. */
  isDefault?: boolean;
  info: {
    expMonth: number;
    /** As when a card is saved. Of a mandate, both are ignored. */
    expYear: number;
  };
};

export type UpdateLabelBody = {
  /** The name is unique in the company. Upper and lower case count as the same, and ß counts as ss. */
  name?: string;
  description?: string;
  /** A hexadecimal colour of 3, 4, 6 or 8 digits, with or without #. It is returned as it was sent. */
  color?: string;
  /** The name of the person who makes the change. It is kept as `createdBy` and `updatedBy`. */
  userName?: string;
};

export type UpdateOperatorWebhookEndpointBody = {
  /** The address that events are sent to: https on port 443 or 8443, at a public address, without a user or a password. A host in `WEBHOOK_ALLOWED_HOSTS` may have any address and port, and use http. */
  url?: string;
  description?: string;
  /** The types of event that the endpoint gets, such as `invoice.created`, or groups of types, such as `invoice.*`. An empty list stands for all types. */
  types?: EventFilter[];
  /** `disabled`: Paydesk sends no events to the endpoint, and its pending deliveries fail. `enabled`: Paydesk sends the events from now on. */
  status?: 'enabled' | 'disabled';
};

export type UpdatePasskeyBody = {
  /** The name that the user gives the passkey. */
  name: string;
};

export type UpdatePaypalAccountBody = {
  /** True makes this account the default, which is charged for invoices of the method `paypal`. */
  isDefault: boolean;
};

export type UpdateRoleBody = {
  /** The name is unique in the company, and must not be that of a system role. Upper and lower case count as the same, and ß counts as ss. */
  name?: string;
  description?: string;
  permission?: PermissionsBody;
};

export type UpdateWebhookEndpointBody = {
  /** The address that events are sent to: https on port 443 or 8443, at a public address, without a user or a password. */
  url?: string;
  description?: string;
  /** The types of event that the endpoint gets, such as `invoice.created`, or groups of types, such as `invoice.*`. An empty list stands for all types. */
  types?: EventFilter[];
  /** `disabled`: Paydesk sends no events to the endpoint, and its pending deliveries fail. `enabled`: Paydesk sends the events from now on. */
  status?: 'enabled' | 'disabled';
};

/** Events as in `application/cloudevents+json`. */
export type UsageBatchBody = AnyValue[];

export type UsageCloudEventBody = {
  /** The version of CloudEvents. */
  specversion: '1.0';
  type: 'paydesk.usage';
  /** What sends the event. */
  source: string;
  /** Identifies the event within its company and source, forever. */
  id: string;
  /** The id of the company. A UUID, or `external:` followed by the external id. */
  subject: string;
  /** When the usage happened, truncated to milliseconds: from the year 2000 to 5 minutes from now. */
  time: string;
  /** Ignored: `data` is JSON. */
  datacontenttype?: string;
  /** Ignored. */
  dataschema?: string;
  data: {
    path: string;
    /** The quantity of usage; 1 when absent. */
    quantity?: number;
  };
};

export type UsageEventBody = {
  /** The version of CloudEvents. */
  specversion: '1.0';
  type: 'paydesk.usage';
  /** What sends the event. */
  source: string;
  /** Identifies the event within its company and source, forever. */
  id: string;
  /** The id of the company. A UUID, or `external:` followed by the external id. */
  subject: string;
  /** When the usage happened, truncated to milliseconds: from the year 2000 to 5 minutes from now. */
  time: string;
  /** Ignored: `data` is JSON. */
  datacontenttype?: string;
  /** Ignored. */
  dataschema?: string;
  data: {
    path: string;
    /** The quantity of usage; 1 when absent. */
    quantity?: number;
  };
};

export type UsageList = {
  total: number;
  page: number;
  perPage: number;
  data: UsageSum[];
  /** The usage of all matching paths in each interval of the period, on all pages. Intervals without usage are left out. */
  totals: UsageTotal[];
};

export type UsageSum = {
  path: string;
  start: string;
  end: string;
  /** A whole number, like `totalRequest` on invoices. */
  quantity: string;
};

export type UsageThreshold = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  /** A path such as /v1/transcriptions, or a prefix that ends with * and matches all paths that begin with it; * alone matches every path. */
  path: string;
  /** A whole number, like the quantity of a usage event. */
  quantity: string;
  createdAt: string;
  /** The latest billing period in which the threshold was reached; null if there is none. */
  lastReached: {
    /** The month that is billed. */
    period: string;
    /** The usage when the threshold was found to be reached. */
    quantity: string;
    reachedAt: string;
  } | null;
};

export type UsageThresholdBody = {
  /** A path such as /v1/transcriptions, or a prefix that ends with * and matches all paths that begin with it; * alone matches every path. All when absent. */
  path?: string;
  /** The quantity that the usage of a billing period has to reach. */
  quantity: string | number;
};

export type UsageThresholdList = {
  data: UsageThreshold[];
};

export type UsageThresholdReached = {
  threshold: {
    id: string;
    companyId: string;
    /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
    companyExternalId?: string | null;
    /** A path such as /v1/transcriptions, or a prefix that ends with * and matches all paths that begin with it; * alone matches every path. */
    path: string;
    /** A whole number, like the quantity of a usage event. */
    quantity: string;
    createdAt: string;
  };
  /** The month that is billed. */
  period: string;
  startAt: string;
  endAt: string;
  /** The usage when the threshold was found to be reached. */
  quantity: string;
};

export type UsageThresholdReachedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'usage.threshold_reached';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: UsageThresholdReached;
};

export type UsageTotal = {
  start: string;
  end: string;
  /** A whole number, like `totalRequest` on invoices. */
  quantity: string;
};

export type UserCompany = {
  /** The id of the company. Empty for a customer. */
  id: string;
  /** The text is empty when the field is unset. */
  name: string;
  /** The text is empty when the field is unset. */
  phone: string;
  /** The text is empty when the field is unset. */
  address: string;
  /** The text is empty when the field is unset. */
  describe: string;
  /** The text is empty when the field is unset. */
  email: string;
};

export type UserCreatedEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'user.created';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: UserProfile;
};

export type UserProfile = {
  id: string;
  first_name: string;
  last_name: string;
  /** The text is empty when the field is unset. */
  phone: string;
  email: string;
  /** The text is empty when the field is unset. */
  country: string;
  /** The text is empty when the field is unset. */
  city: string;
  /** The text is empty when the field is unset. */
  avatar: string;
  company: UserCompany;
  role: UserRole;
  address: null;
  /** The state of an admin is CARD_NOT_FOUND until the company has a card. The state of a customer is always ACTIVED. */
  state: 'CARD_NOT_FOUND' | 'ACTIVED';
  /** The text is empty when the field is unset. */
  language: string;
  /** The text is empty when the field is unset. */
  timezone: string;
  /** The text is empty when the field is unset. */
  default_app: string;
  /** Whether the user has shown that the address is theirs, by a link in a mail. */
  email_verified: boolean;
  /** The role of a member of the operator's staff. Null for all other users. */
  staff_role: 'viewer' | 'finance' | 'admin' | null;
  /** Whether a login needs a second factor. */
  two_factor: boolean;
};

export type UserRole = {
  id: string;
  name: string;
  description: string;
  /** Whether the role is a system role. Every company has the system roles, and nobody can change them. */
  category: 'SYSTEM ROLE' | 'CUSTOM ROLE';
  permission: Permissions;
};

export type ViewedCompany = {
  id: string;
  /** The id that the operator’s product gives the company, unique in the installation. Null until it is set. */
  externalId: string | null;
  name: string;
  /** The e-mail address of the company. If it has none, the address of its first admin. Empty without either. */
  email: string;
};

export type WaitingInvoice = {
  id: string;
  companyId: string;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  number: string;
  /** The name on the invoice, or the e-mail if there is no name. */
  buyer: string;
  /** The amount that is neither paid nor credited. */
  amountDue: string;
  /** The payment of the invoice that is under review. Resolve this payment first. */
  paymentUnderReview: string | null;
  currency: string;
  dueAt: string;
};

export type WaitingInvoiceList = {
  total: number;
  page: number;
  perPage: number;
  data: WaitingInvoice[];
};

export type WebhookAttempt = {
  createdAt: string;
  /** The number of the attempt, from 1. A replay starts again from 1. */
  try: number;
  /** The HTTP status of the answer. Null without an answer. */
  status: number | null;
  durationMs: number;
  /** Why the attempt failed. Null when it succeeded. `status_not_2xx`: the endpoint answered with another status, such as a redirect. `timeout`: the endpoint did not answer within 15 seconds. `connection_failed`: the host name could not be resolved, or the connection or TLS failed. `address_refused`: the host name resolves to a private address. `secret_unreadable`: the keys of the service cannot decrypt the secret of the endpoint. */
  failure: string | null;
  /** The first 1,024 bytes of the answer. */
  response: string;
};

export type WebhookDelivery = {
  /** The id of the event, which is also the `webhook-id`. */
  eventId: string;
  /** The type of the event. Null when the event is older than 90 days. */
  type: string | null;
  state: 'pending' | 'delivered' | 'failed';
  nextAttemptAt: string | null;
  createdAt: string;
  /** The attempts, oldest first. */
  attempts: WebhookAttempt[];
};

export type WebhookDeliveryList = {
  perPage: number;
  /** The `cursor` of the next page. Null on the last page. */
  nextCursor: string | null;
  data: WebhookDelivery[];
};

export type WebhookEndpoint = {
  id: string;
  url: string;
  description: string;
  types: string[];
  /** `failing`: all attempts to deliver an event have failed, and no event was delivered since. Paydesk still sends events. `disabled`: the endpoint answered 410, or somebody disabled it. */
  status: 'enabled' | 'failing' | 'disabled';
  /** Until when Paydesk also signs with the secret before the last rotation. Null when it no longer does. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WebhookEndpointList = {
  data: WebhookEndpoint[];
};

export type WebhookEndpointWithSecret = {
  id: string;
  url: string;
  description: string;
  types: string[];
  /** `failing`: all attempts to deliver an event have failed, and no event was delivered since. Paydesk still sends events. `disabled`: the endpoint answered 410, or somebody disabled it. */
  status: 'enabled' | 'failing' | 'disabled';
  /** Until when Paydesk also signs with the secret before the last rotation. Null when it no longer does. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  /** The secret that Paydesk signs events with. It is shown only once. */
  secret: string;
};

export type WebhookPing = {
  endpointId: string;
  url: string;
};

export type WebhookPingEvent = {
  /** The `webhook-id`. */
  id: string;
  type: 'webhook.ping';
  timestamp: string;
  /** The company that the event is about. Null for an event that is about no company. */
  companyId: string | null;
  /** The external id of the company. Null when it has none. Only answers to the operator and events contain it. */
  companyExternalId?: string | null;
  data: WebhookPing;
};

export type WebhookReplay = {
  /** How many events are sent again. If there are more than 10,000, the oldest 10,000 are sent. */
  scheduled: number;
  /** If more events remain, the `startAt` of the next request. Otherwise null. */
  continueAt: string | null;
};

export type WebhookReplayBody = {
  /** The id of an event to send again. */
  eventId?: string;
  /** The beginning of a time range whose events are sent again. Send it with `endAt` instead of `eventId`. */
  startAt?: string;
  /** The end of the time range. An event at this instant is not in it. */
  endAt?: string;
} & ({
  eventId: string;
} | {
  startAt: string;
  endAt: string;
});

export type WebhookTest = {
  /** The `webhook-id` of the test event. The list of deliveries shows its outcome. */
  eventId: string;
};

export type AuthRefreshAnswer = RefreshAnswer | void;

export type OperatorCompaniesBillingInformationChangesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorInvoicesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only invoices of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** The invoice's number, in upper or lower case. */
  number?: string;
  /** Only invoices with this status: Processing, Succeeded, Failed. */
  status?: string;
  /** Only invoices in this state: open, paid, credited, void, overdue. `overdue`: open, and `dueAt` has passed. */
  state?: string;
  /** Invoices whose billing period starts at this date or instant, or later. */
  startAt?: string;
  /** Invoices whose billing period ends by this instant; a bare date includes that day. */
  endAt?: string;
  /** Only invoices with this method: Card, paypal. */
  method?: string;
  /** Only invoices in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Invoices whose total is at least this. */
  min?: string;
  /** Invoices whose total is at most this. */
  max?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only invoices that this billing run has issued. */
  runId?: string;
};

export type OperatorInvoicesCreditNotesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type InvoicesCreditNotesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type InvoicesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** The invoice's id or number. */
  receipt?: string;
  /** Invoices whose total is at least this. */
  min?: string;
  /** Invoices whose total is at most this. */
  max?: string;
  /** Only invoices with this status: Processing, Succeeded, Failed. */
  status?: string;
  /** Only invoices in this state: open, paid, credited, void, overdue. `overdue`: open, and `dueAt` has passed. */
  state?: string;
  /** Only invoices with this method: Card, paypal. */
  method?: string;
  /** Only invoices in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Invoices whose billing period starts at this date or instant, or later. */
  startAt?: string;
  /** Invoices whose billing period ends by this instant; a bare date includes that day. */
  endAt?: string;
};

export type InvoicesCsvQuery = {
  /** The invoice's id or number. */
  receipt?: string;
  /** Invoices whose total is at least this. */
  min?: string;
  /** Invoices whose total is at most this. */
  max?: string;
  /** Only invoices with this status: Processing, Succeeded, Failed. */
  status?: string;
  /** Only invoices in this state: open, paid, credited, void, overdue. `overdue`: open, and `dueAt` has passed. */
  state?: string;
  /** Only invoices with this method: Card, paypal. */
  method?: string;
  /** Only invoices in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Invoices whose billing period starts at this date or instant, or later. */
  startAt?: string;
  /** Invoices whose billing period ends by this instant; a bare date includes that day. */
  endAt?: string;
};

export type OperatorInvoicesCsvQuery = {
  /** Only invoices of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** The invoice's number, in upper or lower case. */
  number?: string;
  /** Only invoices with this status: Processing, Succeeded, Failed. */
  status?: string;
  /** Only invoices in this state: open, paid, credited, void, overdue. `overdue`: open, and `dueAt` has passed. */
  state?: string;
  /** Invoices whose billing period starts at this date or instant, or later. */
  startAt?: string;
  /** Invoices whose billing period ends by this instant; a bare date includes that day. */
  endAt?: string;
  /** Only invoices with this method: Card, paypal. */
  method?: string;
  /** Only invoices in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Invoices whose total is at least this. */
  min?: string;
  /** Invoices whose total is at most this. */
  max?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only invoices that this billing run has issued. */
  runId?: string;
};

export type OperatorDisputesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only disputes in this status. */
  status?: 'NeedsResponse' | 'UnderReview' | 'Won' | 'Lost' | 'Closed';
  /** Only disputes of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only disputes in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Opened at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Opened before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
};

export type OperatorRefundsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only records of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only records of an invoice, by its id. */
  invoiceId?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only records in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Only records whose `amount` is at least this. */
  min?: string;
  /** Only records whose `amount` is at most this. */
  max?: string;
  /** Only records of a payment, by its id. */
  paymentId?: string;
  /** Only records with this value: Processing, Succeeded, Failed, NeedsReview. Upper and lower case count as the same. */
  status?: string;
};

export type LabelsListQuery = {
  /** The number of the page, from 1. */
  current_page?: number;
  /** The number of items on a page. */
  per_page?: number;
  /** The direction: ASC or DESC, in upper or lower case. */
  sort_by?: string;
  /** The field to sort on. */
  order_by?: 'name' | 'description' | 'color' | 'createdBy' | 'created_by' | 'updatedBy' | 'updated_by' | 'createdAt' | 'created_at' | 'updatedAt' | 'updated_at';
  /** Only labels whose name contains this text. Upper and lower case count as the same, and ß counts as ss. % and _ have no special meaning. */
  name?: string;
};

export type LabelsAssignmentsGetQuery = {
  type: 'agent' | 'ticket' | 'customer';
  /** The id of the record. Send either `id` or `ids`. */
  id?: string;
  /** The ids of up to 100 records, separated by commas. */
  ids?: string;
};

export type LabelsAssignmentsListQuery = {
  type?: 'agent' | 'ticket' | 'customer';
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  per_page?: number;
};

export type CompanyMembersListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  per_page?: number;
};

export type CompanyInvitationsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  per_page?: number;
};

export type OperatorCompaniesInvitationsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type CompanyRolesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  per_page?: number;
};

export type CompanyApiKeysListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  per_page?: number;
};

export type OperatorCompaniesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only companies that match this text. It is the beginning of a word in the name of the company, in the e-mail address of the company or of a member, in the external id, or in the VAT number. Upper and lower case count as the same. */
  search?: string;
  /** Only companies with this e-mail address, or with a user who has it. Upper and lower case count as the same. */
  email?: string;
  /** Only the company with exactly this external id. */
  externalId?: string;
  /** With true, only disabled companies. With false, only companies that are not disabled. */
  disabled?: 'true' | 'false';
  /** The field to sort on; `-` before it means descending. Names are sorted without regard to case. Companies without an external id come last in both directions. */
  sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | 'externalId' | '-externalId';
};

export type OperatorCompaniesCsvQuery = {
  /** Only companies that match this text. It is the beginning of a word in the name of the company, in the e-mail address of the company or of a member, in the external id, or in the VAT number. Upper and lower case count as the same. */
  search?: string;
  /** Only companies with this e-mail address, or with a user who has it. Upper and lower case count as the same. */
  email?: string;
  /** Only the company with exactly this external id. */
  externalId?: string;
  /** With true, only disabled companies. With false, only companies that are not disabled. */
  disabled?: 'true' | 'false';
};

export type OperatorCompaniesMembersListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorCompaniesApiKeysListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorCompaniesSessionsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type CompanyAuditLogListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  per_page?: number;
  /** Only entries of this action. */
  action?: string;
  /** Only entries of the actor with this id. */
  actor?: string;
  /** Only entries about the object with this id. */
  target?: string;
  /** Only entries at this date or instant, or later. */
  from?: string;
  /** Only entries before this instant. A date without a time includes that day. */
  to?: string;
  /** Only entries of the request with this id, as its answer has in `X-Request-Id`. */
  request_id?: string;
};

export type CompanyAuditLogCsvQuery = {
  /** Only entries of this action. */
  action?: string;
  /** Only entries of the actor with this id. */
  actor?: string;
  /** Only entries about the object with this id. */
  target?: string;
  /** Only entries at this date or instant, or later. */
  from?: string;
  /** Only entries before this instant. A date without a time includes that day. */
  to?: string;
  /** Only entries of the request with this id, as its answer has in `X-Request-Id`. */
  request_id?: string;
};

export type OperatorAuditLogListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only the log of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only entries of this action. */
  action?: string;
  /** Only entries of the actor with this id. */
  actor?: string;
  /** Only entries about the object with this id. */
  target?: string;
  /** Only entries at this date or instant, or later. */
  from?: string;
  /** Only entries before this instant. A date without a time includes that day. */
  to?: string;
  /** Only entries of the request with this id, as its answer has in `X-Request-Id`. */
  requestId?: string;
};

export type OperatorAuditLogCsvQuery = {
  /** Only the log of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only entries of this action. */
  action?: string;
  /** Only entries of the actor with this id. */
  actor?: string;
  /** Only entries about the object with this id. */
  target?: string;
  /** Only entries at this date or instant, or later. */
  from?: string;
  /** Only entries before this instant. A date without a time includes that day. */
  to?: string;
  /** Only entries of the request with this id, as its answer has in `X-Request-Id`. */
  requestId?: string;
};

export type OperatorAuditLogVerifyQuery = {
  /** The `nextCursor` of the previous answer. Leave it out in the first request. */
  cursor?: string;
};

export type OperatorCompaniesCreditsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorPaymentsRefundsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorDisputesCsvQuery = {
  /** Only disputes in this status. */
  status?: 'NeedsResponse' | 'UnderReview' | 'Won' | 'Lost' | 'Closed';
  /** Only disputes of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only disputes in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Opened at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Opened before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
};

export type OperatorPaymentsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only records of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only records of an invoice, by its id. */
  invoiceId?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only records in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Only records whose `amount` is at least this. */
  min?: string;
  /** Only records whose `amount` is at most this. */
  max?: string;
  /** Only records with this value: Processing, Succeeded, Failed, RequiresAction, NeedsReview. Upper and lower case count as the same. */
  status?: string;
  /** Only records with this value: Card, paypal. Upper and lower case count as the same. */
  method?: string;
};

export type OperatorCreditNotesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only records of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only records of an invoice, by its id. */
  invoiceId?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only records in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Only records whose `total` is at least this. */
  min?: string;
  /** Only records whose `total` is at most this. */
  max?: string;
  /** The credit note's number, in upper or lower case. */
  number?: string;
};

export type OperatorPaymentsCsvQuery = {
  /** Only records of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only records of an invoice, by its id. */
  invoiceId?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only records in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Only records whose `amount` is at least this. */
  min?: string;
  /** Only records whose `amount` is at most this. */
  max?: string;
  /** Only records with this value: Processing, Succeeded, Failed, RequiresAction, NeedsReview. Upper and lower case count as the same. */
  status?: string;
  /** Only records with this value: Card, paypal. Upper and lower case count as the same. */
  method?: string;
};

export type OperatorRefundsCsvQuery = {
  /** Only records of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only records of an invoice, by its id. */
  invoiceId?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only records in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Only records whose `amount` is at least this. */
  min?: string;
  /** Only records whose `amount` is at most this. */
  max?: string;
  /** Only records of a payment, by its id. */
  paymentId?: string;
  /** Only records with this value: Processing, Succeeded, Failed, NeedsReview. Upper and lower case count as the same. */
  status?: string;
};

export type OperatorCreditNotesCsvQuery = {
  /** Only records of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only records of an invoice, by its id. */
  invoiceId?: string;
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
  /** Only records in this currency, as a code of ISO 4217. */
  currency?: string;
  /** Only records whose `total` is at least this. */
  min?: string;
  /** Only records whose `total` is at most this. */
  max?: string;
  /** The credit note's number, in upper or lower case. */
  number?: string;
};

export type OperatorLedgerListQuery = {
  /** Only postings of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only postings to this account. */
  account?: string;
  /** Only postings about this invoice. */
  invoiceId?: string;
  /** Only postings of the record with this id. */
  sourceId?: string;
  /** Posted at this instant or later. */
  from?: string;
  /** Posted before this instant. */
  to?: string;
  /** The number of items on a page. */
  perPage?: number;
  /** The `nextCursor` of the previous page; absent for the first page. */
  cursor?: string;
};

export type OperatorLedgerCsvQuery = {
  /** Only postings of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only postings to this account. */
  account?: string;
  /** Only postings about this invoice. */
  invoiceId?: string;
  /** Only postings of the record with this id. */
  sourceId?: string;
  /** Posted at this instant or later. */
  from?: string;
  /** Posted before this instant. */
  to?: string;
};

export type OperatorLedgerBalancesListQuery = {
  /** Only postings of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Posted before this instant. */
  to?: string;
};

export type OperatorLedgerBalancesCsvQuery = {
  /** Only postings of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Posted before this instant. */
  to?: string;
};

export type OperatorReconciliationGetQuery = {
  /** The gateway whose books are compared. When absent: the gateway that takes new cards. */
  gateway?: string;
  /** Entries that were made at this instant or later. When absent: the beginning of the month (UTC) in which the period ends. */
  from?: string;
  /** Entries that were made before this instant. When absent: now. Choose an instant in the past: a payment that is running differs for a moment. */
  to?: string;
  /** The `nextCursor` of the previous page; absent for the first page. Send it with `from` and `to` of the previous page. */
  cursor?: string;
};

export type OperatorReconciliationCsvQuery = {
  /** The gateway whose books are compared. When absent: the gateway that takes new cards. */
  gateway?: string;
  /** Entries that were made at this instant or later. When absent: the beginning of the month (UTC) in which the period ends. */
  from?: string;
  /** Entries that were made before this instant. When absent: now. Choose an instant in the past: a payment that is running differs for a moment. */
  to?: string;
};

export type OperatorInvoicesPostingsPreviewQuery = {
  /** The action. A refund is that of the payment that has paid the invoice. */
  of: 'void' | 'credit_note' | 'refund';
  /** The amount to credit or refund, including tax; required for a credit note, and not for a void. A refund without it is of all that is left. */
  amount?: string;
};

export type OperatorPricesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Prices of exactly this path or prefix. */
  path?: string;
  /** Prices in this currency. ISO 4217. */
  currency?: string;
  /** The overrides of this company; `general` for prices that are not overrides. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Prices that apply at this instant. Months are taken in UTC; a date alone means 00:00 UTC of that day. */
  at?: string;
};

export type OperatorPricesQuoteQuery = {
  /** The path that is requested. */
  path: string;
  /** How many requests, in one period. */
  quantity: string;
  /** The currency of the prices. ISO 4217. */
  currency: string;
  /** The company whose overrides apply. When absent: only general prices apply. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** When the requests are made; a date means 00:00 UTC of that day. When absent: now. */
  at?: string;
};

export type OperatorUsageReportBody = UsageEventBody | UsageCloudEventBody | UsageBatchBody;

export type OperatorUsageListQuery = {
  /** The id of the company. An unknown company has no usage. A UUID, or `external:` followed by the external id. */
  companyId: string;
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** The start of the period: a date, meaning midnight in the time zone, or an instant on a quarter of an hour. When absent: a month before `to` or, without `to`, the start of this month. */
  from?: string;
  /** The end of the period (exclusive). When absent: a month after `from`. */
  to?: string;
  /** The interval by which usage is added up. At most 1,000 intervals. */
  granularity?: 'hour' | 'day' | 'month';
  /** The IANA time zone of the days and months. */
  timezone?: string;
  /** Only this path; with `*` at its end, all paths that begin with it. */
  path?: string;
};

export type UsageListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** The start of the period: a date, meaning midnight in the time zone, or an instant on a quarter of an hour. When absent: a month before `to` or, without `to`, the start of this month. */
  from?: string;
  /** The end of the period (exclusive). When absent: a month after `from`. */
  to?: string;
  /** The interval by which usage is added up. At most 1,000 intervals. */
  granularity?: 'hour' | 'day' | 'month';
  /** The IANA time zone of the days and months. */
  timezone?: string;
  /** Only this path; with `*` at its end, all paths that begin with it. */
  path?: string;
};

export type OperatorUsageCsvQuery = {
  /** The id of the company. An unknown company has no usage. A UUID, or `external:` followed by the external id. */
  companyId: string;
  /** The start of the period: a date, meaning midnight in the time zone, or an instant on a quarter of an hour. When absent: a month before `to` or, without `to`, the start of this month. */
  from?: string;
  /** The end of the period (exclusive). When absent: a month after `from`. */
  to?: string;
  /** The interval by which usage is added up. At most 1,000 intervals. */
  granularity?: 'hour' | 'day' | 'month';
  /** The IANA time zone of the days and months. */
  timezone?: string;
  /** Only this path; with `*` at its end, all paths that begin with it. */
  path?: string;
};

export type UsageCsvQuery = {
  /** The start of the period: a date, meaning midnight in the time zone, or an instant on a quarter of an hour. When absent: a month before `to` or, without `to`, the start of this month. */
  from?: string;
  /** The end of the period (exclusive). When absent: a month after `from`. */
  to?: string;
  /** The interval by which usage is added up. At most 1,000 intervals. */
  granularity?: 'hour' | 'day' | 'month';
  /** The IANA time zone of the days and months. */
  timezone?: string;
  /** Only this path; with `*` at its end, all paths that begin with it. */
  path?: string;
};

export type OperatorUsageUnattributedListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorUsageUnattributedDeleteQuery = {
  /** The external id, without `external:`. */
  externalId: string;
};

export type OperatorBillingRunsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type UpcomingInvoiceGetQuery = {
  /** A month that is not billed yet, in the company's time zone. When absent: the current month. */
  period?: string;
};

export type OperatorCompaniesUpcomingInvoiceGetQuery = {
  /** A month that is not billed yet, in the company's time zone. When absent: the current month. */
  period?: string;
};

export type OperatorBillingPreviewsInvoicesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only invoices that differ from the month before in this way; `any` for every difference. */
  outlier?: 'higher' | 'lower' | 'gone' | 'any';
  /** Invoices in this currency. ISO 4217. */
  currency?: string;
};

export type OperatorCompaniesItemsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only items in this state. */
  state?: 'pending' | 'invoiced';
};

export type OperatorLostNumbersListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorJobsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only jobs in this state. */
  state?: 'due' | 'running' | 'late' | 'failing';
  /** Only jobs of this kind. */
  kind?: 'payments' | 'confirmations' | 'debits' | 'gateway_events' | 'refunds' | 'usage_attributions' | 'usage_thresholds' | 'billing_runs' | 'billing_previews' | 'schedules' | 'mails' | 'webhooks' | 'collections' | 'source_detachment';
};

export type OperatorAlertsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only alerts in this state. Without it, the list has open and acknowledged alerts. */
  state?: 'open' | 'acknowledged';
  /** Only alerts of this kind. */
  kind?: string;
  /** Only alerts about this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
};

export type OperatorKeysListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorStaffListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorSignInProvidersListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

export type OperatorMailsListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only mails to this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only mails about this invoice. */
  invoiceId?: string;
  /** Only mails to this address, in upper or lower case. */
  recipient?: string;
  /** Only mails of this kind. */
  type?: 'invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement' | 'verify_email' | 'reset_password' | 'password_changed' | 'change_email' | 'email_changing' | 'email_kept' | 'passkey_added' | 'passkey_removed' | 'totp_enabled' | 'totp_disabled' | 'recovery_codes_replaced' | 'invitation' | 'charges_held';
  /** Only mails in this status. */
  status?: 'queued' | 'sent' | 'failed' | 'kept';
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
};

export type OperatorMailsCsvQuery = {
  /** Only mails to this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only mails about this invoice. */
  invoiceId?: string;
  /** Only mails to this address, in upper or lower case. */
  recipient?: string;
  /** Only mails of this kind. */
  type?: 'invoice_issued' | 'receipt' | 'payment_failed' | 'confirmation_needed' | 'card_expires' | 'statement' | 'verify_email' | 'reset_password' | 'password_changed' | 'change_email' | 'email_changing' | 'email_kept' | 'passkey_added' | 'passkey_removed' | 'totp_enabled' | 'totp_disabled' | 'recovery_codes_replaced' | 'invitation' | 'charges_held';
  /** Only mails in this status. */
  status?: 'queued' | 'sent' | 'failed' | 'kept';
  /** Created at this instant or later; a date means 00:00 UTC of that day. */
  from?: string;
  /** Created before this instant; a date means 00:00 UTC of that day, so that day is not included. */
  to?: string;
};

export type OperatorEventsListQuery = {
  /** The number of items on a page. */
  perPage?: number;
  /** The `nextCursor` of the previous page. Without it, the answer is the first page. */
  cursor?: string;
  /** Only events of this company. A UUID, or `external:` followed by the external id. */
  companyId?: string;
  /** Only events of this type. */
  type?: 'user.created' | 'card.created' | 'card.updated' | 'card.deleted' | 'paypal_account.created' | 'paypal_account.updated' | 'paypal_account.deleted' | 'billing_information.updated' | 'invoice.created' | 'invoice.succeeded' | 'invoice.failed' | 'invoice.voided' | 'credit_note.created' | 'payment.started' | 'payment.requires_action' | 'payment.captured' | 'payment.failed' | 'payment.needs_review' | 'address.created' | 'address.updated' | 'address.deleted' | 'label.created' | 'label.updated' | 'label.deleted' | 'label.assigned' | 'label.unassigned' | 'company.created' | 'company.updated' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'refund.needs_review' | 'dispute.created' | 'dispute.updated' | 'dispute.closed' | 'usage.threshold_reached' | 'item.created' | 'alert.created' | 'webhook.ping' | 'charges.held' | 'charges.released';
  /** Only events at this date or instant, or later. */
  startAt?: string;
  /** Only events before this instant. A date without a time includes that day. */
  endAt?: string;
};

export type OperatorWebhookEndpointsDeliveriesListQuery = {
  /** The number of items on a page. */
  perPage?: number;
  /** The `nextCursor` of the previous page. Without it, the answer is the first page. */
  cursor?: string;
  /** Only deliveries in this state. */
  state?: 'pending' | 'delivered' | 'failed';
};

export type WebhookEndpointsDeliveriesListQuery = {
  /** The number of items on a page. */
  perPage?: number;
  /** The `nextCursor` of the previous page. Without it, the answer is the first page. */
  cursor?: string;
  /** Only deliveries in this state. */
  state?: 'pending' | 'delivered' | 'failed';
};

export type OperatorRecoveryCasesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
  /** Only cases in this state. */
  state?: 'open' | 'done' | 'person';
};

export type OperatorRecoveryInvoicesListQuery = {
  /** The number of the page, from 1. */
  page?: number;
  /** The number of items on a page. */
  perPage?: number;
};

/** What is sent to webhook endpoints, by its type. */
export type WebhookEvents = {
  /** Somebody signed up. `companyId` is null for a customer, and then only the operator gets the event. */
  'user.created': UserCreatedEvent;
  /** A card was saved. */
  'card.created': CardCreatedEvent;
  /** A card was changed, or is no longer the default because another card was made the default. */
  'card.updated': CardUpdatedEvent;
  /** A card was deleted. `data` has the card as it was. */
  'card.deleted': CardDeletedEvent;
  /** A PayPal account was saved. */
  'paypal_account.created': PaypalAccountCreatedEvent;
  /** A PayPal account was changed, or is no longer the default because another account was made the default. */
  'paypal_account.updated': PaypalAccountUpdatedEvent;
  /** A PayPal account was deleted. `data` has the account as it was. */
  'paypal_account.deleted': PaypalAccountDeletedEvent;
  /** The billing information was changed. */
  'billing_information.updated': BillingInformationUpdatedEvent;
  /** The operator or a billing run issued an invoice. */
  'invoice.created': InvoiceCreatedEvent;
  /** An invoice was paid. */
  'invoice.succeeded': InvoiceSucceededEvent;
  /** A charge of an invoice failed; a later charge may succeed. */
  'invoice.failed': InvoiceFailedEvent;
  /** An invoice was voided. */
  'invoice.voided': InvoiceVoidedEvent;
  /** A credit note was issued. */
  'credit_note.created': CreditNoteCreatedEvent;
  /** A charge began. */
  'payment.started': PaymentStartedEvent;
  /** The bank asks the customer to confirm a charge. It comes once for a payment. */
  'payment.requires_action': PaymentRequiresActionEvent;
  /** A charge succeeded, or credit paid all of the invoice. */
  'payment.captured': PaymentCapturedEvent;
  /** A charge failed. The credit that it used was returned. */
  'payment.failed': PaymentFailedEvent;
  /** The gateway and the books disagree about a charge, or its outcome is unknown: a person has to review it. */
  'payment.needs_review': PaymentNeedsReviewEvent;
  /** An address was saved. */
  'address.created': AddressCreatedEvent;
  /** An address was changed. */
  'address.updated': AddressUpdatedEvent;
  /** An address was deleted. `data` has the address as it was. */
  'address.deleted': AddressDeletedEvent;
  /** A label was created. */
  'label.created': LabelCreatedEvent;
  /** A label was changed. */
  'label.updated': LabelUpdatedEvent;
  /** A label was deleted. `data` has the label as it was. */
  'label.deleted': LabelDeletedEvent;
  /** A label was put on an agent, ticket or customer. */
  'label.assigned': LabelAssignedEvent;
  /** A label was taken off an agent, ticket or customer. The deletion of a label sends only `label.deleted`. */
  'label.unassigned': LabelUnassignedEvent;
  /** The operator created a company. A company that signs up itself is reported by `user.created`. */
  'company.created': CompanyCreatedEvent;
  /** The profile, the external id or the metadata of a company was changed, or the company was disabled or enabled. */
  'company.updated': CompanyUpdatedEvent;
  /** A refund began, in Paydesk or at the gateway. */
  'refund.created': RefundCreatedEvent;
  /** A refund was made. */
  'refund.succeeded': RefundSucceededEvent;
  /** A refund failed. */
  'refund.failed': RefundFailedEvent;
  /** The outcome of a refund is unknown: a person has to review it. */
  'refund.needs_review': RefundNeedsReviewEvent;
  /** A customer disputes a payment. Answer the dispute at the gateway. */
  'dispute.created': DisputeCreatedEvent;
  /** A dispute changed its status, or money was moved for it. */
  'dispute.updated': DisputeUpdatedEvent;
  /** A dispute was won, lost or closed in another way. */
  'dispute.closed': DisputeClosedEvent;
  /** The usage of a billing period has reached a threshold. The event is sent once for each threshold and period. */
  'usage.threshold_reached': UsageThresholdReachedEvent;
  /** A one-off item was added. The next invoice will include it. */
  'item.created': ItemCreatedEvent;
  /** Something needs the attention of a person. Only the operator gets this event, and `companyId` is null; `data` names the company. */
  'alert.created': AlertCreatedEvent;
  /** Somebody tested a webhook endpoint. Only that endpoint gets the event. */
  'webhook.ping': WebhookPingEvent;
  /** Charges are held, because the database may lack records that it had before. Only the operator gets this event, and `companyId` is null. This event and its alert are sent at once; every other event waits until the hold ends. */
  'charges.held': ChargesHeldEvent;
  /** The hold has ended. Only the operator gets this event, and `companyId` is null. */
  'charges.released': ChargesReleasedEvent;
};

export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

/** Every operation of the API. */
export type Api = {
  service: {
    /** Check whether the process is alive: `GET /healthz` */
    health(options?: RequestOptions): Promise<Health>;
    /**
     * Check whether the service can take requests: `GET /readyz`
     *
     * The answer is 503 while the database cannot be reached or the process is shutting down. Then send the process no requests, but do not restart it. While charges are held, the answer is 200, `charges` is `held`, and `reason` and `since` say why and since when.
     */
    readiness(options?: RequestOptions): Promise<Readiness>;
    /**
     * Read the Prometheus metrics: `GET /metrics`
     *
     * Returns the metrics in the text format of Prometheus. Send the operator key, or the token in `METRICS_TOKEN`. With `METRICS_PORT`, the metrics also have an address of their own. The metrics name no company. Paydesk computes them at most once a second: a client that asks more often gets the same answer again.
     */
    metrics(options?: RequestOptions): Promise<string>;
    /**
     * Read the OpenAPI document: `GET /openapi.json`
     *
     * OpenAPI 3.1. The document is generated from the schemas that the service validates requests with.
     */
    openapi(options?: RequestOptions): Promise<OpenApiDocument>;
    /**
     * Open the reference page: `GET /docs`
     *
     * The OpenAPI document as a web page. The page loads nothing from other sites.
     */
    docs(options?: RequestOptions): Promise<string>;
  };
  auth: {
    /**
     * Register an admin: `POST /auth/signup/admin`
     *
     * Creates a company with empty billing information, and an account for its first admin.
     */
    signUpAdmin(body: SignUpBody, options?: RequestOptions): Promise<AuthAnswer>;
    /**
     * Register a customer: `POST /auth/signup/customer`
     *
     * A customer belongs to no company and cannot use the resources of companies.
     */
    signUpCustomer(body: SignUpBody, options?: RequestOptions): Promise<AuthAnswer>;
    /**
     * Log in: `POST /auth/local`
     *
     * If the user has a second factor, the answer has `data.second_factor` instead of tokens. Finish the login with `POST /auth/local/second-factor`.
     *
     * After ten failed logins with the same e-mail and client address within 15 minutes, logins with both are refused until the 15 minutes have passed. After a hundred from one address, all logins from that address are refused. After a hundred with one e-mail, logins with that e-mail are refused, except from an address or a browser (known by the cookie `paydesk_device`) that has logged in with it within 90 days and with the same credentials. After 20 from all such browsers together, logins from them are refused. A login that would have to wait for more than two seconds is answered with 503.
     */
    logIn(body: LogInBody, options?: RequestOptions): Promise<LoginAnswer>;
    /**
     * Finish a login with the second factor: `POST /auth/local/second-factor`
     *
     * Send one of these: a code of the authenticator app, a recovery code, or a passkey. The token of the login works for five minutes and five attempts. A wrong attempt counts as a failed login.
     */
    finishLogIn(body: SecondFactorBody, options?: RequestOptions): Promise<AuthAnswer>;
    passkeys: {
      /**
       * Begin a login with a passkey: `POST /auth/passkeys/login/options`
       *
       * Answers the options for `navigator.credentials.get()`. They accept any passkey of this service. A client address can send 600 of these requests a minute to each process.
       */
      beginLogIn(options?: RequestOptions): Promise<PasskeyRequestAnswer>;
      /**
       * Log in with a passkey: `POST /auth/passkeys/login`
       *
       * A login with a passkey needs no password and no second factor, because the authenticator verifies the user.
       */
      logIn(body: PasskeyLoginBody, options?: RequestOptions): Promise<AuthAnswer>;
      /**
       * Begin the registration of a passkey: `POST /auth/passkeys/options`
       *
       * Answers the options for `navigator.credentials.create()`. The passkey belongs to the host name of `PUBLIC_URL`. The authenticator stores the passkey and verifies the user.
       */
      begin(body: PasskeyOptionsBody, options?: RequestOptions): Promise<PasskeyCreationAnswer>;
      /**
       * Register a passkey: `POST /auth/passkeys`
       *
       * From now on, a login with the password needs a second factor, and a login with the passkey needs no password. If this is the first second factor of the user, the answer has ten recovery codes.
       */
      create(body: CreatePasskeyBody, options?: RequestOptions): Promise<PasskeyCreated>;
      /**
       * List your passkeys: `GET /auth/passkeys`
       *
       * The newest passkey comes first. A user can have at most 100 passkeys.
       */
      list(options?: RequestOptions): List<Passkey, PasskeyList>;
      /** Rename a passkey: `PUT /auth/passkeys/{passkey_id}` */
      update(passkeyId: string, body: UpdatePasskeyBody, options?: RequestOptions): Promise<PasskeyAnswer>;
      /**
       * Delete a passkey: `DELETE /auth/passkeys/{passkey_id}`
       *
       * When the last second factor of a user is deleted, the recovery codes are deleted too.
       */
      delete(passkeyId: string, body: DeletePasskeyBody, options?: RequestOptions): Promise<void>;
    };
    /**
     * Refresh a session: `POST /auth/refresh`
     *
     * Returns a new access token and a new refresh token. The refresh token that you send is used up. If you do not receive the answer, send the same token again within ten seconds: the answer has the same new refresh token. A used token that is sent later ends the session, because somebody else may have stolen it. A session ends when it is not refreshed for 30 days, and after 90 days at the latest. The operator can change both limits.
     *
     * With `?session=`, Paydesk reads the refresh token from the cookie and puts the new one into it. Only pages of this service can do that. Without a cookie the answer is 204: nobody is logged in.
     */
    refresh(body: RefreshBody, options?: RequestOptions): Promise<AuthRefreshAnswer>;
    /**
     * Log out: `POST /auth/logout`
     *
     * Ends the session of the access token. Paydesk refuses the tokens of the session from then on. With `?session=`, the request needs no access token, ends the session of the cookie, and removes the cookie.
     */
    logOut(options?: RequestOptions): Promise<void>;
    sessions: {
      /**
       * List your sessions: `GET /auth/sessions`
       *
       * The open sessions, newest first, at most 1,000. A session was last used at the last login or refresh.
       */
      list(options?: RequestOptions): List<Session, SessionList>;
      /**
       * End all other sessions: `DELETE /auth/sessions`
       *
       * Ends all sessions of the user except the one of this request.
       */
      revokeOthers(options?: RequestOptions): Promise<void>;
      /**
       * End a session: `DELETE /auth/sessions/{session_id}`
       *
       * The tokens of the session stop working at once in the process that answers, and within a second in others.
       */
      revoke(sessionId: string, options?: RequestOptions): Promise<void>;
    };
    /**
     * Read the public keys of access tokens: `GET /.well-known/jwks.json`
     *
     * Verify access tokens with these keys. The header `kid` of a token names its key. A new key is in this set for six minutes before Paydesk signs the first token with it. A client that caches the set for no longer than Cache-Control allows always has the key it needs.
     */
    publicKeys(options?: RequestOptions): Promise<JwkSet>;
    totp: {
      /**
       * Find out whether TOTP is on: `GET /auth/totp`
       *
       * `two_factor` of the profile says whether there is any second factor, which may be a passkey.
       */
      get(options?: RequestOptions): Promise<TotpState>;
      /**
       * Set up TOTP: `POST /auth/totp`
       *
       * Answers a new secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). TOTP is on once you confirm the secret with a code. Until then, another request replaces the secret.
       */
      begin(body: BeginTotpBody, options?: RequestOptions): Promise<TotpAnswer>;
      /**
       * Turn TOTP off: `DELETE /auth/totp`
       *
       * When the last second factor of a user is removed, the recovery codes are removed too.
       */
      disable(body: DisableTotpBody, options?: RequestOptions): Promise<void>;
      /**
       * Turn TOTP on: `POST /auth/totp/confirm`
       *
       * From now on, a login needs a second factor. If this is the first second factor of the user, the answer has ten recovery codes.
       */
      confirm(body: ConfirmTotpBody, options?: RequestOptions): Promise<TotpConfirmed>;
    };
    recoveryCodes: {
      /**
       * Replace the recovery codes: `POST /auth/recovery-codes`
       *
       * The previous recovery codes stop working.
       */
      renew(body: RenewRecoveryCodesBody, options?: RequestOptions): Promise<RecoveryCodesAnswer>;
    };
    email: {
      /**
       * Verify an e-mail address: `POST /auth/email/verify`
       *
       * Send the token of the link in the mail, which follows `#token=`. The mail is either about the verification of an address, or about a change of the address. A token about a change gives the user the new address. If the request has a valid access token of the same user, the passkeys and TOTP of the account count as set up by the owner of the address. A later reset of the password then keeps them.
       */
      verify(body: TokenBody, options?: RequestOptions): Promise<void>;
      /**
       * Send the verification again: `POST /auth/email/verification`
       *
       * Sends a mail with a new link, which replaces the previous link. The answer is the same, but no mail is sent, if the e-mail address is already verified or if there were more than five requests within an hour.
       */
      verification(options?: RequestOptions): Promise<NoData>;
      /**
       * Change your e-mail address: `PUT /auth/email`
       *
       * Sends a link to the new address. The current address gets a mail with a link that undoes the change. The address changes when somebody follows the link to the new address, within 24 hours (`POST /auth/email/verify`). A newer link replaces the previous one. An address gets at most five links an hour.
       */
      change(body: EmailChangeBody, options?: RequestOptions): Promise<NoData>;
      /**
       * Go back to your former e-mail address: `POST /auth/email/revert`
       *
       * Send the token of the mail about the change of the address. It works for 72 hours, before and after the change. The request ends all sessions of the user. It also removes the passkeys, TOTP and recovery codes that the person who asked for the change may have set up, and a mail names them. During the 72 hours, nobody else can get the former address.
       */
      revert(body: TokenBody, options?: RequestOptions): Promise<void>;
    };
    me: {
      /** Get your profile: `GET /auth/me` */
      get(options?: RequestOptions): Promise<ProfileAnswer>;
      /**
       * Change your profile: `PUT /auth/me`
       *
       * Fields that are absent keep their values. An empty text unsets a field. The first and last name cannot be unset.
       */
      update(body: ProfileBody, options?: RequestOptions): Promise<ProfileAnswer>;
      /**
       * Delete your account: `DELETE /auth/me`
       *
       * Ends all sessions of the user and removes the personal data. The audit log keeps the id of the user, but not the name and the e-mail.
       */
      delete(body: AccountDeletionBody, options?: RequestOptions): Promise<void>;
    };
    password: {
      /**
       * Change your password: `PUT /auth/password`
       *
       * Ends all other sessions of the user, and sends the user a mail about the change. A wrong current password counts as a failed login. For an account without a password, the request sets one, if the login was less than ten minutes ago.
       */
      change(body: PasswordChangeBody, options?: RequestOptions): Promise<void>;
      /**
       * Send a link that resets the password: `POST /auth/password/forgot`
       *
       * The answer and its duration are the same for every address. If the address has an account, it gets a mail, at most five an hour. The link works once, for an hour. A newer link replaces it.
       */
      forgot(body: ForgottenPasswordBody, options?: RequestOptions): Promise<NoData>;
      /**
       * Reset a forgotten password: `POST /auth/password/reset`
       *
       * Send the token of the link in the mail. The request sets the password, ends all sessions of the user, lifts the limit on failed logins, and sends the user a mail about the change. It does not log the user in.
       */
      reset(body: PasswordResetBody, options?: RequestOptions): Promise<void>;
    };
    invitations: {
      /**
       * Read an invitation: `GET /auth/invitations/{token}`
       *
       * Send the token of the link in the mail, which follows `#token=`.
       */
      get(token: string, options?: RequestOptions): Promise<OpenInvitation>;
      /**
       * Accept an invitation: `POST /auth/invitations/accept`
       *
       * Without an access token, the request creates an account: 201. With the access token of a customer who has the invited e-mail address, that account joins the company and gets a new session: 200. Either way, the e-mail address counts as verified. The inviter must still have the permissions of the invited role.
       */
      accept(body: AcceptanceBody, options?: RequestOptions): Promise<AuthAnswer>;
    };
    /**
     * Open the dashboard by the link of a customer session: `POST /auth/session`
     *
     * The code works once, within five minutes. The tokens are those of the customer session that the operator’s product has opened: they end with it. With `?session=customer`, the refresh token is in a cookie, and only pages of this service can send the request.
     */
    session(body: SessionCodeBody, options?: RequestOptions): Promise<CustomerSessionAnswer>;
    /**
     * Log in to the console with an operator key: `POST /auth/operator`
     *
     * Changes an operator key for a session of one hour, so that no page keeps the key. The session may do what the key may. It ends with the key. `POST /auth/refresh?session=console` answers its next access token. Only pages of this service can send the request. After ten wrong keys from an address within 15 minutes, keys from it are refused until the 15 minutes have passed.
     */
    logInWithOperatorKey(body: OperatorLoginBody, options?: RequestOptions): Promise<ConsoleSessionAnswer>;
    links: {
      /**
       * List your links to providers: `GET /auth/links`
       *
       * With a link, an account at a provider of single sign-on logs in to your account. Newest first.
       */
      list(options?: RequestOptions): List<SignInLink, SignInLinkList>;
      /**
       * Consent to linking the account to a sign-in provider: `POST /auth/links`
       *
       * Answers an address of this service. Open it in the browser and sign in at the provider with an account that has your e-mail address. From then on, that account logs in to your account here. The sign-in also logs you in. The provider of a company makes a customer a member of the company. You can add `&return_to=` to the address.
       */
      create(body: SignInLinkBody, options?: RequestOptions): Promise<SignInLinkAnswer>;
      /**
       * Delete a link to a provider: `DELETE /auth/links/{link_id}`
       *
       * The provider can no longer log in to your account. Sessions that began with the provider continue.
       */
      delete(linkId: string, body: DeleteSignInLinkBody, options?: RequestOptions): Promise<void>;
    };
  };
  cardSetups: {
    /**
     * Begin to save a card in the fields of the gateway: `POST /payments/card-setups`
     *
     * The browser confirms the setup with `clientSecret` in the fields of the gateway, so that the number of the card never reaches Paydesk. `POST /payments/cards` with `setupId` then saves the card. With Stripe, confirm it with `confirmSetup` of Stripe.js; with the sandbox, with `POST /gateways/sandbox/setups/confirm`. With the method `sepa_debit`, the holder of an account types its IBAN instead, and accepts the mandate for direct debits.
     *
     * Needs the permission `platform.billing.all`.
     */
    create(body: CreateCardSetupBody, options?: RequestOptions): Promise<CreatedCardSetup>;
    /**
     * Read a card setup: `GET /payments/card-setups/{setup_id}`
     *
     * The status is that of the gateway.
     *
     * Needs the permission `platform.billing.view`.
     */
    get(setupId: string, options?: RequestOptions): Promise<CardSetup>;
  };
  cards: {
    /**
     * Save a card: `POST /payments/cards`
     *
     * With `setupId`, Paydesk saves the card or the mandate of a confirmed setup, and with `paymentMethod` a card that the gateway has already: in both cases it never sees the number. With `info`, Paydesk sends the number and the security code to the gateway and does not store them; with `RAW_CARD_NUMBERS=off` it refuses them. If the gateway refuses the number, the refusal counts like a refused charge (`PUT /payments/orders/{invoice_id}/pay`). A bank declines a card only when it is charged. A company can have at most 1,000 cards.
     *
     * Needs the permission `platform.billing.all`.
     */
    create(body: CreateCardBody, options?: RequestOptions): Promise<Card>;
    /**
     * List cards: `GET /payments/cards`
     *
     * The newest card comes first. Each card has its address.
     *
     * Needs the permission `platform.billing.view`.
     */
    list(options?: RequestOptions): List<CardWithAddress, CardList>;
    /**
     * Change a card: `PUT /payments/cards/{card_id}`
     *
     * Changes the expiry date of the card, or makes it the default card. A mandate keeps its own.
     *
     * Needs the permission `platform.billing.all`.
     */
    update(cardId: string, body: UpdateCardBody, options?: RequestOptions): Promise<Card>;
    /**
     * Delete a card: `DELETE /payments/cards/{card_id}`
     *
     * If you delete the default card, no other card becomes the default. A payment that waits until the customer has confirmed a charge of this card is canceled first.
     *
     * Needs the permission `platform.billing.all`.
     */
    delete(cardId: string, options?: RequestOptions): Promise<void>;
  };
  paypalAccounts: {
    /**
     * Save a PayPal account: `POST /payments/paypal-accounts`
     *
     * Paydesk sends the setup token to the payment gateway and does not store it. If the company has already saved the account, the answer is that account. PayPal declines an account when it is charged, not when it is saved. A company can have at most 100 PayPal accounts.
     *
     * Needs the permission `platform.billing.all`.
     */
    create(body: CreatePaypalAccountBody, options?: RequestOptions): Promise<PaypalAccount>;
    /**
     * List PayPal accounts: `GET /payments/paypal-accounts`
     *
     * The newest account comes first.
     *
     * Needs the permission `platform.billing.view`.
     */
    list(options?: RequestOptions): List<PaypalAccount, PaypalAccountList>;
    /**
     * Change a PayPal account: `PUT /payments/paypal-accounts/{account_id}`
     *
     * Makes the account the default, or takes the default from it.
     *
     * Needs the permission `platform.billing.all`.
     */
    update(accountId: string, body: UpdatePaypalAccountBody, options?: RequestOptions): Promise<PaypalAccount>;
    /**
     * Delete a PayPal account: `DELETE /payments/paypal-accounts/{account_id}`
     *
     * If you delete the default account, no other account becomes the default.
     *
     * Needs the permission `platform.billing.all`.
     */
    delete(accountId: string, options?: RequestOptions): Promise<void>;
  };
  billingInformation: {
    /**
     * Read the billing information: `GET /payments/billing-information`
     *
     * Every company has exactly one billing information record, from its creation on.
     *
     * Needs the permission `platform.billing.view`.
     */
    get(options?: RequestOptions): Promise<BillingInformation>;
    /**
     * Change the billing information: `PUT /payments/billing-information`
     *
     * Fields that are absent keep their values.
     *
     * Needs the permission `platform.billing.all`.
     */
    update(body: BillingInformationBody, options?: RequestOptions): Promise<BillingInformation>;
  };
  operator: {
    companies: {
      billingInformation: {
        /**
         * Read a company's billing information: `GET /operator/companies/{company_id}/billing-information`
         *
         * Needs the role `viewer` or `integration`.
         */
        get(companyId: string, options?: RequestOptions): Promise<BillingInformation>;
        /**
         * Correct a company's billing information: `PUT /operator/companies/{company_id}/billing-information`
         *
         * Fields that are absent keep their values. Issued invoices do not change. The correction is kept with the values before and after it.
         *
         * Needs the role `admin` or `integration`.
         */
        update(companyId: string, body: OperatorBillingInformationBody, options?: RequestOptions): Promise<BillingInformation>;
        changes: {
          /**
           * List the corrections of a company's billing information: `GET /operator/companies/{company_id}/billing-information/changes`
           *
           * Lists the corrections that the operator made, the newest first, each with the fields that it changed.
           *
           * Needs the role `viewer` or `integration`.
           */
          list(companyId: string, query?: OperatorCompaniesBillingInformationChangesListQuery, options?: RequestOptions): List<BillingInformationChange, BillingInformationChangeList>;
        };
      };
      invitations: {
        /**
         * List the invitations of a company: `GET /operator/companies/{company_id}/invitations`
         *
         * The open invitations, newest first: those of the operator and of the company.
         *
         * Needs the role `viewer` or `integration`.
         */
        list(companyId: string, query?: OperatorCompaniesInvitationsListQuery, options?: RequestOptions): List<OperatorInvitation, OperatorInvitationList>;
        /**
         * Invite somebody to a company: `POST /operator/companies/{company_id}/invitations`
         *
         * Sends a mail with a link to the address. The recipient signs up or, with an account that belongs to no company, joins with that account. The link works once, for seven days, and only while the operator key or the person who invites may still invite.
         *
         * Needs the role `admin` or `integration`.
         */
        create(companyId: string, body: OperatorInvitationBody, options?: RequestOptions): Promise<OperatorInvitation>;
        /**
         * Send an invitation to a company again: `POST /operator/companies/{company_id}/invitations/{invitation_id}/resend`
         *
         * Sends a mail with a new link, which works for seven days. The previous link stops working. An address gets five mails an hour.
         *
         * Needs the role `admin` or `integration`.
         */
        resend(companyId: string, invitationId: string, options?: RequestOptions): Promise<OperatorInvitation>;
        /**
         * Delete an invitation to a company: `DELETE /operator/companies/{company_id}/invitations/{invitation_id}`
         *
         * The link of the invitation stops working.
         *
         * Needs the role `admin` or `integration`.
         */
        delete(companyId: string, invitationId: string, options?: RequestOptions): Promise<void>;
      };
      /**
       * List companies: `GET /operator/companies`
       *
       * Filters combine with AND.
       *
       * Needs the role `viewer` or `integration`.
       */
      list(query?: OperatorCompaniesListQuery, options?: RequestOptions): List<ListedCompany, CompanyList>;
      /**
       * Create a company: `POST /operator/companies`
       *
       * Creates the company with its billing information, billing settings and addresses in one transaction. The company needs no member: Paydesk bills it, and sends mails to its e-mail address. `PUT /operator/companies/external:…` does the same and can be repeated.
       *
       * Needs the role `admin` or `integration`.
       */
      create(body: CompanyCreateBody, options?: RequestOptions): Promise<Company>;
      /**
       * Read a company: `GET /operator/companies/{company_id}`
       *
       * Returns the company with the number of its members, cards and open invoices, and with what it owes.
       *
       * Needs the role `viewer` or `integration`.
       */
      get(companyId: string, options?: RequestOptions): Promise<CompanyDetails>;
      /**
       * Create or change a company: `PUT /operator/companies/{company_id}`
       *
       * If no company has the external id in the path, the request creates the company: 201. Otherwise the request changes it: 200. If several requests name a new external id at once, one creates the company. Absent fields keep their values, also those of `billingInformation` and `billingSettings`, but `metadata` is replaced.
       *
       * The members of a disabled company can log in, and its members and API keys can read. Their other requests are answered with 403 `company_disabled`, in all processes within a second. Billing runs continue. Paydesk does not collect invoices of the company until it is enabled. A key with the role `integration` cannot send `disabled`: 403 `forbidden`.
       *
       * Needs the role `admin` or `integration`.
       */
      update(companyId: string, body: OperatorCompanyBody, options?: RequestOptions): Promise<Company>;
      /**
       * Read the companies as a file: `GET /operator/companies.csv`
       *
       * CSV (RFC 4180) of all companies that match, the newest first.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorCompaniesCsvQuery, options?: RequestOptions): Promise<string>;
      members: {
        /**
         * List a company's members: `GET /operator/companies/{company_id}/members`
         *
         * What the company itself lists, to read only and without secrets. The newest comes first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, query?: OperatorCompaniesMembersListQuery, options?: RequestOptions): List<OperatorMember, OperatorMemberList>;
      };
      apiKeys: {
        /**
         * List a company's API keys: `GET /operator/companies/{company_id}/api-keys`
         *
         * What the company itself lists, to read only and without secrets. The newest comes first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, query?: OperatorCompaniesApiKeysListQuery, options?: RequestOptions): List<OperatorApiKey, OperatorApiKeyList>;
      };
      webhookEndpoints: {
        /**
         * List a company's webhook endpoints: `GET /operator/companies/{company_id}/webhook-endpoints`
         *
         * What the company itself lists, to read only and without secrets. The newest comes first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, options?: RequestOptions): List<WebhookEndpoint, WebhookEndpointList>;
      };
      addresses: {
        /**
         * List a company's addresses: `GET /operator/companies/{company_id}/addresses`
         *
         * What the company itself lists, to read only and without secrets. The newest comes first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, options?: RequestOptions): List<Address, AddressList>;
      };
      cards: {
        /**
         * List a company's cards: `GET /operator/companies/{company_id}/cards`
         *
         * What the company itself lists, to read only and without secrets. The newest comes first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, options?: RequestOptions): List<CardWithAddress, CardList>;
      };
      paypalAccounts: {
        /**
         * List a company's PayPal accounts: `GET /operator/companies/{company_id}/paypal-accounts`
         *
         * What the company itself lists, to read only and without secrets. The newest comes first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, options?: RequestOptions): List<PaypalAccount, PaypalAccountList>;
      };
      sessions: {
        /**
         * Open a customer session: `POST /operator/companies/{company_id}/sessions`
         *
         * Opens a session for a customer who is logged in to your product and has no account in Paydesk. `token` gives access to the objects of the company (cards, addresses, billing information, invoices, usage and labels) as far as `permission` grants it; `platform.billing.all` when absent. `url` opens the dashboard. The session ends when it expires or is deleted, when the operator key that opened it is deleted, and when the company is disabled.
         *
         * Needs the role `admin` or `integration`.
         */
        create(companyId: string, body: CustomerSessionBody, options?: RequestOptions): Promise<NewCustomerSession>;
        /**
         * List a company's customer sessions: `GET /operator/companies/{company_id}/sessions`
         *
         * Lists the open sessions, newest first.
         *
         * Needs the role `viewer` or `integration`.
         */
        list(companyId: string, query?: OperatorCompaniesSessionsListQuery, options?: RequestOptions): List<CustomerSession, CustomerSessionList>;
        /**
         * End a customer session: `DELETE /operator/companies/{company_id}/sessions/{session_id}`
         *
         * Its tokens stop working at once in the process that answers, and within a second in others.
         *
         * Needs the role `admin` or `integration`.
         */
        delete(companyId: string, sessionId: string, options?: RequestOptions): Promise<void>;
      };
      /**
       * View a company as its members see it: `POST /operator/companies/{company_id}/views`
       *
       * Opens a view for 15 minutes. Its access token may `GET` what a member of the company may who has the view of everything, and nothing else. The refresh token is in the cookie `__Host-paydesk-view`, for `POST /auth/refresh?session=view`. The view ends with the operator key, account or session that opened it. The audit log of the company has who viewed it.
       *
       * Needs the role `finance`.
       */
      view(companyId: string, options?: RequestOptions): Promise<NewCompanyView>;
      /**
       * End your views of a company: `DELETE /operator/companies/{company_id}/views`
       *
       * Ends the views that the operator key or account has opened, and removes the cookie. Their tokens stop working at once in the process that answers, and within a second in others.
       *
       * Needs the role `finance`.
       */
      endViews(companyId: string, options?: RequestOptions): Promise<void>;
      billingSettings: {
        /**
         * Read a company's billing settings: `GET /operator/companies/{company_id}/billing-settings`
         *
         * Needs the role `viewer` or `integration`.
         */
        get(companyId: string, options?: RequestOptions): Promise<OperatorBillingSettings>;
        /**
         * Change a company's billing settings: `PUT /operator/companies/{company_id}/billing-settings`
         *
         * Fields that are absent keep their values. Issued documents do not change. The currency cannot change while the company has credit, while an unsettled payment holds some of its credit, or while items wait for an invoice.
         *
         * Needs the role `finance` or `integration`.
         */
        update(companyId: string, body: OperatorBillingSettingsBody, options?: RequestOptions): Promise<OperatorBillingSettings>;
      };
      mailSettings: {
        /**
         * Read who gets a company's mails about money: `GET /operator/companies/{company_id}/mail-settings`
         *
         * Needs the role `viewer`.
         */
        get(companyId: string, options?: RequestOptions): Promise<MailSettings>;
        /**
         * Choose who gets a company's mails about money, and which: `PUT /operator/companies/{company_id}/mail-settings`
         *
         * Fields that are absent keep their values. What is set holds for the mails that are written from then on.
         *
         * Needs the role `finance`.
         */
        update(companyId: string, body: MailSettingsBody, options?: RequestOptions): Promise<MailSettings>;
      };
      credits: {
        /**
         * Grant credit to a company: `POST /operator/companies/{company_id}/credits`
         *
         * The credit is the company's `inStoreCredit`. The next payment of an invoice in this currency uses the credit first, and charges the rest to the card.
         *
         * Needs the role `finance`.
         */
        grant(companyId: string, body: GrantCreditBody, options?: RequestOptions): Promise<CreditEntry>;
        /**
         * List the entries of a company's credit: `GET /operator/companies/{company_id}/credits`
         *
         * The newest entry comes first. Entries are never changed or removed; their sum is the balance.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, query?: OperatorCompaniesCreditsListQuery, options?: RequestOptions): List<CreditEntry, CreditLedger>;
      };
      usageThresholds: {
        /**
         * List a company's usage thresholds: `GET /operator/companies/{company_id}/usage-thresholds`
         *
         * Lists at most 20 thresholds, the newest first.
         *
         * Needs the role `viewer` or `integration`.
         */
        list(companyId: string, options?: RequestOptions): List<UsageThreshold, UsageThresholdList>;
        /**
         * Add a usage threshold for a company: `POST /operator/companies/{company_id}/usage-thresholds`
         *
         * When the company's usage of the path in a billing period (a month in its time zone) reaches the quantity, one event `usage.threshold_reached` is sent within seconds. The threshold applies from the current period on, even if it is reached already. There is no second event in the same period. Usage that arrives after the month counts for that month until the month is billed. A company can have at most 20 thresholds. The company sees the threshold among its own, and may delete it.
         *
         * Needs the role `finance` or `integration`.
         */
        create(companyId: string, body: OperatorUsageThresholdBody, options?: RequestOptions): Promise<UsageThreshold>;
      };
      upcomingInvoice: {
        /**
         * Read a company's upcoming invoice: `GET /operator/companies/{company_id}/upcoming-invoice`
         *
         * Returns the upcoming invoice as the company sees it.
         *
         * Needs the role `viewer` or `integration`.
         */
        get(companyId: string, query?: OperatorCompaniesUpcomingInvoiceGetQuery, options?: RequestOptions): Promise<UpcomingInvoice>;
      };
      items: {
        /**
         * Add a one-off item: `POST /operator/companies/{company_id}/items`
         *
         * The company's next invoice includes the item, as a line after the usage. That invoice bills the last month that has ended and is not billed yet, or else the current month. The upcoming invoice shows the item at once.
         *
         * Needs the role `admin`.
         */
        create(companyId: string, body: ItemBody, options?: RequestOptions): Promise<Item>;
        /**
         * List a company's one-off items: `GET /operator/companies/{company_id}/items`
         *
         * Lists the items that wait for an invoice and the items that are on one, the newest first.
         *
         * Needs the role `viewer`.
         */
        list(companyId: string, query?: OperatorCompaniesItemsListQuery, options?: RequestOptions): List<Item, ItemList>;
        /**
         * Remove a one-off item: `DELETE /operator/companies/{company_id}/items/{item_id}`
         *
         * An item can be removed as long as it waits for an invoice.
         *
         * Needs the role `admin`.
         */
        delete(companyId: string, itemId: string, options?: RequestOptions): Promise<void>;
      };
    };
    invoices: {
      /**
       * Issue an invoice: `POST /operator/invoices`
       *
       * A new invoice has the status `Processing`. If the company has an invoice with the same `reference` already, the response is 200 with that invoice. The lines of an invoice never change afterwards, only its status: by a payment, credit notes, refunds or a void.
       *
       * Needs the role `finance`.
       */
      create(body: CreateInvoiceBody, options?: RequestOptions): Promise<Invoice>;
      /**
       * List the invoices of all companies: `GET /operator/invoices`
       *
       * The newest invoice comes first. Each invoice is shown with its latest payment. All filters combine with AND.
       *
       * Needs the role `viewer` or `integration`.
       */
      list(query?: OperatorInvoicesListQuery, options?: RequestOptions): List<ListedOperatorInvoice, OperatorInvoiceList>;
      creditNotes: {
        /**
         * Credit an invoice: `POST /operator/invoices/{invoice_id}/credit-notes`
         *
         * Send either `amount` or `details`. The credit notes of an invoice cannot exceed its total. Before the invoice is paid, a credit note lowers the amount to charge. Afterwards, a credit note records the amount to refund; it does not refund anything itself. A payment that waits until the customer has confirmed it is canceled first.
         *
         * Needs the role `finance`.
         */
        create(invoiceId: string, body: CreditNoteBody, options?: RequestOptions): Promise<CreditNote>;
        /**
         * List any company's credit notes of an invoice: `GET /operator/invoices/{invoice_id}/credit-notes`
         *
         * The newest credit note comes first.
         *
         * Needs the role `viewer`.
         */
        list(invoiceId: string, query?: OperatorInvoicesCreditNotesListQuery, options?: RequestOptions): List<CreditNote, CreditNoteList>;
      };
      /**
       * Void an invoice: `POST /operator/invoices/{invoice_id}/void`
       *
       * Voids an invoice that is not paid and has no credit notes. A void invoice can neither be paid nor credited. It keeps its number and its `status`; `voidedAt` says when it was voided. Voiding it again changes nothing. A payment that waits until the customer has confirmed it is canceled first.
       *
       * Needs the role `finance`.
       */
      void(invoiceId: string, options?: RequestOptions): Promise<Invoice>;
      /**
       * Read the invoices of all companies as a file: `GET /operator/invoices.csv`
       *
       * CSV (RFC 4180) of all invoices that match, the newest first.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorInvoicesCsvQuery, options?: RequestOptions): Promise<string>;
      /**
       * Read any company's invoice as a PDF: `GET /operator/invoices/{invoice_id}/pdf`
       *
       * The same file as the company gets.
       *
       * Needs the role `viewer`.
       */
      pdf(invoiceId: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
      /**
       * Read any company's invoice with its payment attempts: `GET /operator/invoices/{invoice_id}`
       *
       * Needs the role `viewer` or `integration`.
       */
      get(invoiceId: string, options?: RequestOptions): Promise<OperatorInvoice>;
      link: {
        /**
         * Read the link to pay any company's invoice: `GET /operator/invoices/{invoice_id}/link`
         *
         * Returns the address of a page on which the invoice can be read and paid without a login. The link is made when it is first asked for, and anew after it has expired. It is in every mail about the invoice, and works until 30 days after `dueAt`, or after it was made if that is later. After it was revoked, the answer is 404.
         *
         * Needs the role `viewer`.
         */
        get(invoiceId: string, options?: RequestOptions): Promise<InvoiceLink>;
        /**
         * Replace the link to pay any company's invoice: `POST /operator/invoices/{invoice_id}/link`
         *
         * Makes a new link. The one before opens nothing any more, in mails either.
         *
         * Needs the role `finance`.
         */
        replace(invoiceId: string, options?: RequestOptions): Promise<InvoiceLink>;
        /**
         * Revoke the link to pay any company's invoice: `DELETE /operator/invoices/{invoice_id}/link`
         *
         * The link opens nothing any more, and the invoice has none until a new one is created.
         *
         * Needs the role `finance`.
         */
        revoke(invoiceId: string, options?: RequestOptions): Promise<void>;
      };
      /**
       * Charge any company's invoice: `POST /operator/invoices/{invoice_id}/charge`
       *
       * Charges the invoice as `PUT /payments/orders/{invoice_id}/pay` does: the credit first, then the default card or, without a default, the only card. An invoice with the method `paypal` is charged to the PayPal account. If the invoice is paid already, the response is 200 and nothing is charged. 202 means that the gateway's answer was lost. Paydesk finds out the outcome later and never guesses it.
       *
       * Needs the role `finance`.
       */
      charge(invoiceId: string, options?: RequestOptions): Promise<Invoice>;
      postings: {
        /**
         * Read what a void, a credit note or a refund would post: `GET /operator/invoices/{invoice_id}/postings`
         *
         * Does the action in a transaction that is rolled back: nothing is kept, sent or numbered, and no gateway is called. An action that would be refused is refused with the same error. A refund posts what it posts when the gateway has refunded, and the credit note that it needs. Postings to one account are added up.
         *
         * Needs the role `viewer`.
         */
        preview(invoiceId: string, query: OperatorInvoicesPostingsPreviewQuery, options?: RequestOptions): List<ActionPosting, ActionPostings>;
      };
      /**
       * Compute an invoice again: `POST /operator/invoices/{invoice_id}/recompute`
       *
       * Computes the invoice again from the usage up to its cutoff, and from the prices, currency, tax rate and late usage policy of that time. Returns the differences from the issued invoice, and changes nothing. Billed usage and prices never change, so a difference means that somebody changed the database by hand.
       *
       * Needs the role `finance`.
       */
      recompute(invoiceId: string, options?: RequestOptions): Promise<RecomputedInvoice>;
    };
    seller: {
      /**
       * Read a sample invoice of a changed seller: `POST /operator/seller/preview`
       *
       * The body is that of `PUT /operator/seller`. Returns a PDF of a sample invoice with these details; fields that are absent are as stored. Nothing is changed or kept.
       *
       * Needs the role `finance`.
       */
      preview(body: SellerBody, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
      /**
       * Read who issues the invoices: `GET /operator/seller`
       *
       * Needs the role `viewer`.
       */
      get(options?: RequestOptions): Promise<Seller>;
      /**
       * Change who issues the invoices: `PUT /operator/seller`
       *
       * Fields that are absent keep their values. Invoices that are issued already go on naming the seller as it was then.
       *
       * Needs the role `finance`.
       */
      update(body: SellerBody, options?: RequestOptions): Promise<Seller>;
    };
    payments: {
      /**
       * Resolve a payment that is under review: `POST /operator/payments/{payment_id}/resolve`
       *
       * Asks the gateway about the payment again, and settles the payment by the answer. Captured as intended: the payment has succeeded. Canceled, declined or never confirmed: the payment has failed, and is canceled at the gateway first. If another amount was captured, `outcome` accepts it (`succeeded`) or refunds it (`refunded`); after a refund the payment has failed, and the invoice can be paid again. In all other cases, `outcome` decides only if the gateway cannot answer. Repeating the request changes nothing. While charges are held, no payment becomes failed. The response is the invoice.
       *
       * Needs the role `finance`.
       */
      resolve(paymentId: string, body: ResolvePaymentBody, options?: RequestOptions): Promise<Invoice>;
      refunds: {
        /**
         * Refund a payment: `POST /operator/payments/{payment_id}/refunds`
         *
         * Refunds `amount`, or all that is left: to the card first, then as credit for what was paid with credit. If no earlier credit note after the payment covers the refund, a credit note for the amount is issued, with its share of the tax. Send an `Idempotency-Key`: the same key always returns the same refund, forever; without a key, each request is another refund. 202 means that the gateway's answer was lost. Paydesk finds out the outcome later and never guesses it.
         *
         * Needs the role `finance`.
         */
        create(paymentId: string, body: RefundBody, options?: RequestOptions): Promise<Refund>;
        /**
         * List the refunds of a payment: `GET /operator/payments/{payment_id}/refunds`
         *
         * The newest refund comes first.
         *
         * Needs the role `viewer`.
         */
        list(paymentId: string, query?: OperatorPaymentsRefundsListQuery, options?: RequestOptions): List<Refund, RefundList>;
      };
      /**
       * List the payments of all companies: `GET /operator/payments`
       *
       * The newest record comes first. Each record has the company's name. All filters combine with AND.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorPaymentsListQuery, options?: RequestOptions): List<OperatorPayment, OperatorPaymentList>;
      /**
       * Read any company's payment: `GET /operator/payments/{payment_id}`
       *
       * Returns the payment with the same fields as in the list of payments.
       *
       * Needs the role `viewer`.
       */
      get(paymentId: string, options?: RequestOptions): Promise<OperatorPayment>;
      /**
       * Read the payments of all companies as a file: `GET /operator/payments.csv`
       *
       * CSV (RFC 4180) of all records that match, the newest first.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorPaymentsCsvQuery, options?: RequestOptions): Promise<string>;
    };
    disputes: {
      /**
       * Read a dispute from its gateway: `POST /operator/disputes`
       *
       * Reads a dispute from the gateway, as the gateway's webhook does: for a dispute that the gateway never reported, or whose status differs here. The answer of the gateway is recorded, and each movement of money counts once, however often the request is sent. The response has the dispute once for each of its payments. 404 if the gateway does not know the dispute, or if it is about no payment of Paydesk.
       *
       * Needs the role `finance`.
       */
      resync(body: ResyncDisputeBody, options?: RequestOptions): List<Dispute, ResyncedDisputes>;
      /**
       * List disputes: `GET /operator/disputes`
       *
       * Lists the disputes of all companies, newest first. Filters combine with AND. Paydesk reads a dispute from the gateway when the gateway reports it. Answer a dispute at the gateway.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorDisputesListQuery, options?: RequestOptions): List<ListedDispute, DisputeList>;
      /**
       * Read the disputes of all companies as a file: `GET /operator/disputes.csv`
       *
       * CSV (RFC 4180) of all disputes that match, the newest first.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorDisputesCsvQuery, options?: RequestOptions): Promise<string>;
    };
    refunds: {
      /**
       * Import the refunds of a payment from its gateway: `POST /operator/refunds`
       *
       * Reads the refunds of a payment from the gateway, as the gateway's webhook does: for refunds that somebody made there and that the gateway never reported. Each unknown refund is recorded once, with its credit note and its postings, however often the request is sent. The response has all refunds of the payment, the newest first. 404 if no payment of Paydesk has that id at the gateway. 503 if the gateway gives no answer, or if a refund made here has no outcome yet and the payment cannot cover both.
       *
       * Needs the role `finance`.
       */
      resync(body: ResyncRefundsBody, options?: RequestOptions): List<Refund, ResyncedRefunds>;
      /**
       * List the refunds of all companies: `GET /operator/refunds`
       *
       * The newest record comes first. Each record has the company's name. All filters combine with AND.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorRefundsListQuery, options?: RequestOptions): List<OperatorRefund, OperatorRefundList>;
      /**
       * Resolve a refund that is under review: `POST /operator/refunds/{refund_id}/resolve`
       *
       * Records the outcome that a person found at the gateway. Paydesk asks the gateway first; if the gateway says otherwise, nothing changes. With `failed`, the credit note stays: the credited amount stays due to the company, and another refund pays it. Repeating the request with the same outcome changes nothing.
       *
       * Needs the role `finance`.
       */
      resolve(refundId: string, body: ResolveRefundBody, options?: RequestOptions): Promise<Refund>;
      /**
       * Read the refunds of all companies as a file: `GET /operator/refunds.csv`
       *
       * CSV (RFC 4180) of all records that match, the newest first.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorRefundsCsvQuery, options?: RequestOptions): Promise<string>;
    };
    integration: {
      /**
       * Read the settings of the integration: `GET /operator/integration`
       *
       * Needs the role `viewer`.
       */
      get(options?: RequestOptions): Promise<Integration>;
      /**
       * Set the origins of your pages: `PUT /operator/integration`
       *
       * Pages of these origins may send the tokens of customer sessions (CORS), and the dashboard of a customer session may lead back to them. A change holds at once in the process that answers, and within a second in others.
       *
       * Needs the role `admin`.
       */
      update(body: IntegrationBody, options?: RequestOptions): Promise<Integration>;
    };
    auditLog: {
      /**
       * List the audit log: `GET /operator/audit-log`
       *
       * The log has every change of access, settings and money, and every login, newest first. Paydesk writes an entry in the transaction of its change, and never changes or removes the entry. Each entry contains the hash of the entry before it. Each company has a chain of its own. One more chain has the entries that concern no company.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorAuditLogListQuery, options?: RequestOptions): List<OperatorAuditEntry, OperatorAuditEntryList>;
      /**
       * Read the audit log as a file: `GET /operator/audit-log.csv`
       *
       * CSV (RFC 4180), newest first. The column `changes` contains JSON.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorAuditLogCsvQuery, options?: RequestOptions): Promise<string>;
      /**
       * Verify the audit log: `GET /operator/audit-log/verification`
       *
       * Computes the hashes of all chains again. An answer covers some thousand entries: send `nextCursor` as `cursor` until it is null. `npm run paydesk -- audit verify` does the same in a terminal.
       *
       * Needs the role `viewer`.
       */
      verify(query?: OperatorAuditLogVerifyQuery, options?: RequestOptions): Promise<AuditVerification>;
    };
    creditNotes: {
      /**
       * List the credit notes of all companies: `GET /operator/credit-notes`
       *
       * The newest record comes first. Each record has the company's name. All filters combine with AND.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorCreditNotesListQuery, options?: RequestOptions): List<OperatorCreditNote, OperatorCreditNoteList>;
      /**
       * Read the credit notes of all companies as a file: `GET /operator/credit-notes.csv`
       *
       * CSV (RFC 4180) of all records that match, the newest first.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorCreditNotesCsvQuery, options?: RequestOptions): Promise<string>;
    };
    overview: {
      /**
       * Read what was billed and collected, what is due, and what a person has to look at: `GET /operator/overview`
       *
       * The sums of all companies. The amounts of the months are those of the ledger, and what is due is the balance of its account `receivable`.
       *
       * Needs the role `viewer`.
       */
      get(options?: RequestOptions): Promise<OperatorOverview>;
    };
    ledger: {
      /**
       * List the postings of the ledger: `GET /operator/ledger`
       *
       * The oldest posting comes first. All filters combine with AND. A posting is written in the transaction of the change that it books, and never changed or removed. The postings of one `kind` and `sourceId` are an entry, and add up to zero.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorLedgerListQuery, options?: RequestOptions): List<LedgerPosting, LedgerPostingList>;
      /**
       * Read the postings of the ledger as a file: `GET /operator/ledger.csv`
       *
       * A CSV file (RFC 4180) with the oldest posting first, and debit and credit in separate columns. A request for more than 50,000 postings is answered with 400: request a shorter period.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorLedgerCsvQuery, options?: RequestOptions): Promise<string>;
      balances: {
        /**
         * Read the balance of every account: `GET /operator/ledger/balances`
         *
         * The balances by account and currency, for all companies or one company, now or at an earlier instant.
         *
         * Needs the role `viewer`.
         */
        list(query?: OperatorLedgerBalancesListQuery, options?: RequestOptions): List<LedgerBalance, LedgerBalanceList>;
        /**
         * Read the balance of every account as a file: `GET /operator/ledger/balances.csv`
         *
         * CSV (RFC 4180) of what `GET /operator/ledger/balances` answers, with debit and credit in separate columns.
         *
         * Needs the role `viewer`.
         */
        csv(query?: OperatorLedgerBalancesCsvQuery, options?: RequestOptions): Promise<string>;
      };
    };
    reconciliation: {
      /**
       * Compare the books with a gateway's: `GET /operator/reconciliation`
       *
       * Lists every difference between the payments, refunds and disputes of Paydesk and those of the gateway, page by page. Continue until `nextCursor` is null, because a page can be empty although differences follow. `npm run paydesk -- reconcile` does the same in the terminal.
       *
       * Needs the role `viewer`.
       */
      get(query?: OperatorReconciliationGetQuery, options?: RequestOptions): Promise<Reconciliation>;
      /**
       * Compare the books with a gateway's, as a file: `GET /operator/reconciliation.csv`
       *
       * CSV (RFC 4180) of all differences that `GET /operator/reconciliation` lists.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorReconciliationCsvQuery, options?: RequestOptions): Promise<string>;
    };
    prices: {
      /**
       * Set a price: `POST /operator/prices`
       *
       * Sets a price, or a new version of a price: a version of the same path, currency and company that begins later replaces the earlier one from then on. Versions are never edited. The longest matching path wins, and an exact path beats a prefix, but every matching override beats every general price. Send only the fields of the chosen `model`. Billed amounts never change: a version that would change the price of usage on an invoice is refused.
       *
       * Needs the role `finance`.
       */
      create(body: CreatePriceBody, options?: RequestOptions): Promise<Price>;
      /**
       * List prices: `GET /operator/prices`
       *
       * Every version, sorted by path, currency and company, newest first. All filters combine with AND.
       *
       * Needs the role `viewer` or `integration`.
       */
      list(query?: OperatorPricesListQuery, options?: RequestOptions): List<Price, PriceList>;
      /**
       * Read what requests cost: `GET /operator/prices/quote`
       *
       * Returns what so many requests of a path cost in one period, without tax, by the price that applies at an instant.
       *
       * Needs the role `viewer`.
       */
      quote(query: OperatorPricesQuoteQuery, options?: RequestOptions): Promise<PriceQuote>;
      /**
       * Read a price: `GET /operator/prices/{price_id}`
       *
       * Needs the role `viewer` or `integration`.
       */
      get(priceId: string, options?: RequestOptions): Promise<Price>;
      /**
       * Delete a price: `DELETE /operator/prices/{price_id}`
       *
       * Deletes a version of a price that no invoice has used. The version before it then stays in force in its place.
       *
       * Needs the role `finance`.
       */
      delete(priceId: string, options?: RequestOptions): Promise<void>;
      /**
       * End a price: `POST /operator/prices/{price_id}/end`
       *
       * Ends the newest version of a price; a version can be ended once. From then on, the next best matching price applies to its paths, or none; a later version may follow. The request is refused if usage on an invoice would lose its price.
       *
       * Needs the role `finance`.
       */
      end(priceId: string, body: EndPriceBody, options?: RequestOptions): Promise<Price>;
    };
    usage: {
      /**
       * Report usage: `POST /operator/usage`
       *
       * Accepts CloudEvents 1.0 in structured mode, with JSON in `data`: one event (`application/json` or `application/cloudevents+json`), or a batch of up to 1,000 events (`application/cloudevents-batch+json`). Binary mode (`ce-` headers) and `data_base64` are not supported. Extension attributes are ignored, but only with the media types of CloudEvents.
       *
       * Each event of a batch has its own result: an event that breaks a rule does not affect the others. A single event that breaks a rule is answered with 400. An accepted event is stored permanently and counts once, however often it is sent. An event with the same company, source and id as a stored one is a duplicate, even if its other fields differ. This holds for as long as events are kept (ten years, unless the operator sets another time); older events are rejected as `too_late`. If a request gets no response, repeat it unchanged; an `Idempotency-Key` is not needed. A company can limit late usage in its billing settings: usage of a month that ended more days ago than the limit is rejected as `too_late`, unless it was accepted before.
       *
       * An event of an external id that no company has is accepted as `unattributed`, and becomes usage of the company that gets the id, as if it had been its usage when it came. At most 1,000 external ids and 1,000,000 events wait, and an external id takes no more 30 days after its first event: beyond that events are rejected as `unknown_company`, as all are with `UNATTRIBUTED_USAGE=reject`.
       *
       * Needs the role `finance` or `integration`.
       */
      report(body: OperatorUsageReportBody, options?: RequestOptions): Promise<IngestionResult>;
      /**
       * List the usage of a company: `GET /operator/usage`
       *
       * Returns the usage as the company sees it.
       *
       * Needs the role `viewer` or `integration`.
       */
      list(query: OperatorUsageListQuery, options?: RequestOptions): List<UsageSum, UsageList>;
      /**
       * Read the usage of a company as a file: `GET /operator/usage.csv`
       *
       * CSV (RFC 4180) of all rows that `GET /operator/usage` lists, in the same order.
       *
       * Needs the role `viewer`.
       */
      csv(query: OperatorUsageCsvQuery, options?: RequestOptions): Promise<string>;
      unattributed: {
        /**
         * List unattributed usage: `GET /operator/usage/unattributed`
         *
         * Lists usage of external ids that no company has yet. The external id with the oldest event comes first. The usage becomes a company's usage as soon as the company gets the external id.
         *
         * Needs the role `viewer` or `integration`.
         */
        list(query?: OperatorUsageUnattributedListQuery, options?: RequestOptions): List<UnattributedUsage, UnattributedUsageList>;
        /**
         * Delete unattributed usage: `DELETE /operator/usage/unattributed`
         *
         * Deletes all usage of an external id that no company has. An event of it that comes again is a new one.
         *
         * Needs the role `admin` or `integration`.
         */
        delete(query: OperatorUsageUnattributedDeleteQuery, options?: RequestOptions): Promise<void>;
      };
    };
    usageThresholds: {
      /**
       * Delete a usage threshold of any company: `DELETE /operator/usage-thresholds/{threshold_id}`
       *
       * Needs the role `finance`.
       */
      delete(thresholdId: string, options?: RequestOptions): Promise<void>;
    };
    billingRuns: {
      /**
       * Start a billing run: `POST /operator/billing-runs`
       *
       * Issues, in the background, one invoice for each company that used something in the month. The schedule does the same automatically, `invoiceGraceHours` after the month has ended in the company's time zone. This request does not wait for the grace time: it bills each company as soon as its month has ended. A month has one run. Starting the run again bills the companies that are not billed yet; if there are none, nothing changes. Earlier months that are not completely billed are billed first.
       *
       * Needs the role `finance`.
       */
      start(body: BillingRunBody, options?: RequestOptions): Promise<BillingRun>;
      /**
       * List billing runs: `GET /operator/billing-runs`
       *
       * The newest month comes first.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorBillingRunsListQuery, options?: RequestOptions): List<BillingRunSummary, BillingRunList>;
      /**
       * Read a billing run: `GET /operator/billing-runs/{billing_run_id}`
       *
       * Returns the progress of the run, the time of its next pass, the companies that could not be billed, and the paths without a price.
       *
       * Needs the role `viewer`.
       */
      get(billingRunId: string, options?: RequestOptions): Promise<BillingRun>;
    };
    billingPreviews: {
      /**
       * Preview a billing run: `POST /operator/billing-previews`
       *
       * Computes, in the background, the invoices that the billing run of a month would issue now. Nothing is issued. The preview is kept for a week. Companies that are already billed for the month are left out.
       *
       * Needs the role `finance`.
       */
      start(body: BillingRunBody, options?: RequestOptions): Promise<BillingPreview>;
      /**
       * Read a preview: `GET /operator/billing-previews/{preview_id}`
       *
       * Returns the progress, the totals by currency, the paths without a price, and the number of companies whose invoice differs much from the month before.
       *
       * Needs the role `viewer`.
       */
      get(previewId: string, options?: RequestOptions): Promise<BillingPreview>;
      invoices: {
        /**
         * List a preview's invoices: `GET /operator/billing-previews/{preview_id}/invoices`
         *
         * Lists the invoices by company. The lines of an invoice are in the company's upcoming invoice with the same `period`.
         *
         * Needs the role `viewer`.
         */
        list(previewId: string, query?: OperatorBillingPreviewsInvoicesListQuery, options?: RequestOptions): List<BillingPreviewInvoice, BillingPreviewInvoiceList>;
      };
    };
    numbering: {
      /**
       * Read how invoices and credit notes are numbered: `GET /operator/numbering`
       *
       * Needs the role `viewer`.
       */
      get(options?: RequestOptions): Promise<Numbering>;
      /**
       * Change how invoices and credit notes are numbered: `PUT /operator/numbering`
       *
       * Fields that are absent keep their values. Issued documents keep their numbers. A number is never used twice: with a prefix that was used before, the numbers continue after the last one.
       *
       * Needs the role `admin`.
       */
      update(body: NumberingBody, options?: RequestOptions): Promise<Numbering>;
    };
    lostNumbers: {
      /**
       * List the numbers of lost documents: `GET /operator/lost-numbers`
       *
       * Lists the numbers of documents that were lost when the database was restored to an earlier state, and that could not be written again. The last recorded number comes first. These numbers are never used again.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorLostNumbersListQuery, options?: RequestOptions): List<LostNumber, LostNumberList>;
    };
    jobs: {
      /**
       * List jobs: `GET /operator/jobs`
       *
       * Lists the background work that is due, running or failing. The jobs that have been due for longest come first. The list has up to 100,000 jobs of each kind in each state.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorJobsListQuery, options?: RequestOptions): List<BackgroundJob, JobList>;
      /**
       * Retry a job now: `POST /operator/jobs/{job_id}/retry`
       *
       * Makes the job due. A worker does it within a few seconds. The attempt counts like any other. A job that is done is a 404.
       *
       * Needs the role `finance`.
       */
      retry(jobId: string, options?: RequestOptions): Promise<BackgroundJob>;
    };
    alerts: {
      /**
       * List alerts: `GET /operator/alerts`
       *
       * Lists what needs the attention of a person, of all companies, newest first. `state=open` lists the alerts that nobody has acknowledged. Each alert is also an event `alert.created`, which the operator's webhook endpoints get.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorAlertsListQuery, options?: RequestOptions): List<Alert, AlertList>;
      /**
       * Acknowledge an alert: `POST /operator/alerts/{alert_id}/acknowledge`
       *
       * Records that a person takes care of the alert. Nothing else changes. Acknowledging the alert again changes nothing.
       *
       * Needs the role `finance`.
       */
      acknowledge(alertId: string, options?: RequestOptions): Promise<Alert>;
    };
    keys: {
      /**
       * List the operator's keys: `GET /operator/keys`
       *
       * The newest key comes first, and the key of `OPERATOR_KEY` or the data directory comes last. An expired key stays on the list until somebody deletes it.
       *
       * Needs the role `admin`.
       */
      list(query?: OperatorKeysListQuery, options?: RequestOptions): List<OperatorKey, OperatorKeyList>;
      /**
       * Create an operator key: `POST /operator/keys`
       *
       * Only this answer contains the key.
       *
       * Needs the role `admin`.
       */
      create(body: OperatorKeyBody, options?: RequestOptions): Promise<NewOperatorKey>;
      /**
       * Delete an operator key: `DELETE /operator/keys/{key_id}`
       *
       * The key stops working at once in the process that answers, and within a second in other processes. The key of `OPERATOR_KEY` or the data directory cannot be deleted. To replace it, restart Paydesk with another key.
       *
       * Needs the role `admin`.
       */
      delete(keyId: string, options?: RequestOptions): Promise<void>;
    };
    staff: {
      /**
       * List the staff: `GET /operator/staff`
       *
       * The staff and the open invitations, newest first.
       *
       * Needs the role `admin`.
       */
      list(query?: OperatorStaffListQuery, options?: RequestOptions): List<Staff, StaffList>;
      /**
       * Invite somebody to the staff: `POST /operator/staff`
       *
       * Sends a mail with a link that works once and expires after seven days. The recipient gets an account that belongs to no company and always needs a second factor. Under `/operator`, the account can do what its role includes.
       *
       * Needs the role `admin`.
       */
      invite(body: StaffBody, options?: RequestOptions): Promise<Staff>;
      /**
       * Send an invitation to the staff again: `POST /operator/staff/{staff_id}/resend`
       *
       * Sends a mail with a new link, which works for seven days. The previous link stops working. The answer is 404 if the invitation was accepted. The inviter must still be an admin.
       *
       * Needs the role `admin`.
       */
      resend(staffId: string, options?: RequestOptions): Promise<Staff>;
      /**
       * Change the role of a member of the staff: `PUT /operator/staff/{staff_id}`
       *
       * If the invitation is still open, the caller counts as its inviter from now on.
       *
       * Needs the role `admin`.
       */
      update(staffId: string, body: StaffRoleBody, options?: RequestOptions): Promise<Staff>;
      /**
       * Remove a member of the staff: `DELETE /operator/staff/{staff_id}`
       *
       * Deletes the invitation, or closes the account and ends its sessions.
       *
       * Needs the role `admin`.
       */
      delete(staffId: string, options?: RequestOptions): Promise<void>;
    };
    signInProviders: {
      /**
       * List the providers of single sign-on: `GET /operator/sign-in-providers`
       *
       * The newest provider comes first, and the providers of the environment come last.
       *
       * Needs the role `admin`.
       */
      list(query?: OperatorSignInProvidersListQuery, options?: RequestOptions): List<SignInProvider, SignInProviderList>;
      /**
       * Set up a provider of single sign-on: `PUT /operator/sign-in-providers/{name}`
       *
       * Creates the provider if none has this name. A new provider needs `issuer`, `clientId` and `clientSecret`, and a provider of a company also needs `emailDomains`. Fields that are absent keep their values, but a new `issuer` needs `clientSecret` again. At the provider, register the redirect URI `PUBLIC_URL/auth/oidc/{name}/callback`.
       *
       * Needs the role `admin`.
       */
      update(name: string, body: SignInProviderBody, options?: RequestOptions): Promise<SignInProvider>;
      /**
       * Delete a provider of single sign-on: `DELETE /operator/sign-in-providers/{name}`
       *
       * Accounts that have signed in with the provider are kept. If a company requires this provider, its members can no longer sign in.
       *
       * Needs the role `admin`.
       */
      delete(name: string, options?: RequestOptions): Promise<void>;
    };
    mails: {
      /**
       * List mails: `GET /operator/mails`
       *
       * The mails to all companies of the last two years, newest first: those about money, and, for admins alone, those about accounts. All filters combine with AND.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorMailsListQuery, options?: RequestOptions): List<MailSummary, MailList>;
      /**
       * Read the list of mails as a file: `GET /operator/mails.csv`
       *
       * CSV (RFC 4180) of all mails that match, the newest first, without what they say.
       *
       * Needs the role `viewer`.
       */
      csv(query?: OperatorMailsCsvQuery, options?: RequestOptions): Promise<string>;
      /**
       * Read a mail: `GET /operator/mails/{mail_id}`
       *
       * Returns the fields of the list, and the text of the mail.
       *
       * Needs the role `viewer`.
       */
      get(mailId: string, options?: RequestOptions): Promise<Mail>;
      /**
       * Read a file of a mail: `GET /operator/mails/{mail_id}/attachments/{index}`
       *
       * Draws the file as it would be sent now: an invoice that was paid since says so.
       *
       * Needs the role `viewer`.
       */
      attachments(mailId: string, index: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
      /**
       * Show a mail about money as it would be written now: `POST /operator/mails/preview`
       *
       * Nothing is sent or kept.
       *
       * Needs the role `finance`.
       */
      preview(body: MailPreviewBody, options?: RequestOptions): Promise<MailPreview>;
      /**
       * Send a mail about money again: `POST /operator/mails/{mail_id}/resend`
       *
       * Writes another mail that says the same. Its files are drawn anew.
       *
       * Needs the role `finance`.
       */
      resend(mailId: string, body: MailResendBody, options?: RequestOptions): Promise<Mail>;
    };
    events: {
      /**
       * List events: `GET /operator/events`
       *
       * The events of all companies, newest first. Paydesk keeps events for 90 days.
       *
       * Needs the role `viewer`.
       */
      list(query?: OperatorEventsListQuery, options?: RequestOptions): List<Event, EventList>;
    };
    webhookEndpoints: {
      /**
       * List the webhook endpoints of the operator: `GET /operator/webhook-endpoints`
       *
       * The newest endpoint comes first.
       *
       * Needs the role `viewer`.
       */
      list(options?: RequestOptions): List<WebhookEndpoint, WebhookEndpointList>;
      /**
       * Add a webhook endpoint of the operator: `POST /operator/webhook-endpoints`
       *
       * Only this answer contains the secret, and its repeats with the same `Idempotency-Key`. There can be at most 20 endpoints.
       *
       * Needs the role `admin`.
       */
      create(body: CreateOperatorWebhookEndpointBody, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
      /**
       * Read a webhook endpoint of the operator: `GET /operator/webhook-endpoints/{endpoint_id}`
       *
       * Needs the role `viewer`.
       */
      get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint>;
      /**
       * Change a webhook endpoint of the operator: `PUT /operator/webhook-endpoints/{endpoint_id}`
       *
       * Fields that are absent keep their values.
       *
       * Needs the role `admin`.
       */
      update(endpointId: string, body: UpdateOperatorWebhookEndpointBody, options?: RequestOptions): Promise<WebhookEndpoint>;
      /**
       * Delete a webhook endpoint of the operator: `DELETE /operator/webhook-endpoints/{endpoint_id}`
       *
       * Deletes the endpoint and its deliveries.
       *
       * Needs the role `admin`.
       */
      delete(endpointId: string, options?: RequestOptions): Promise<void>;
      /**
       * Rotate the secret of a webhook endpoint of the operator: `POST /operator/webhook-endpoints/{endpoint_id}/rotate-secret`
       *
       * Only this answer contains the new secret. For 24 hours, Paydesk signs each event with both the new secret and the one before. If you rotate again in that time, only the two newest secrets sign.
       *
       * Needs the role `admin`.
       */
      rotateSecret(endpointId: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
      /**
       * Test a webhook endpoint of the operator: `POST /operator/webhook-endpoints/{endpoint_id}/test`
       *
       * Sends a `webhook.ping`, whatever event types the endpoint gets. The limit is 10 requests a minute for an endpoint and 60 for all endpoints together. Further requests are answered with 429.
       *
       * Needs the role `admin`.
       */
      test(endpointId: string, options?: RequestOptions): Promise<WebhookTest>;
      deliveries: {
        /**
         * List the deliveries to a webhook endpoint of the operator: `GET /operator/webhook-endpoints/{endpoint_id}/deliveries`
         *
         * The newest event comes first. Each delivery has its attempts. Paydesk keeps deliveries for 90 days.
         *
         * Needs the role `viewer`.
         */
        list(endpointId: string, query?: OperatorWebhookEndpointsDeliveriesListQuery, options?: RequestOptions): List<WebhookDelivery, WebhookDeliveryList>;
      };
      /**
       * Send events again to a webhook endpoint of the operator: `POST /operator/webhook-endpoints/{endpoint_id}/replay`
       *
       * Sends one event, whatever its type, or all events of a time range whose types the endpoint gets. The range includes events that the endpoint has never got. The events keep their ids, and their attempts start again from 1. The limit is 10 requests a minute for an endpoint and 60 for all endpoints together. Further requests are answered with 429.
       *
       * Needs the role `admin`.
       */
      replay(endpointId: string, body: OperatorWebhookReplayBody, options?: RequestOptions): Promise<WebhookReplay>;
    };
    recovery: {
      /**
       * Read why and until when the database holds charges: `GET /operator/recovery`
       *
       * Returns the hold, the journals of the database, and the number of cases. A case is a charge, refund or document that a gateway or a journal has and the database lacks.
       *
       * Needs the role `viewer`.
       */
      get(options?: RequestOptions): Promise<Recovery>;
      cases: {
        /**
         * List what the gateways and the journals have and the database lacks: `GET /operator/recovery/cases`
         *
         * Lists the cases in the order in which they happened. The comparisons during a hold find them. Processed cases stay in the list.
         *
         * Needs the role `viewer`.
         */
        list(query?: OperatorRecoveryCasesListQuery, options?: RequestOptions): List<RecoveryCase, RecoveryCaseList>;
        /**
         * Decide about a case that was left to a person: `POST /operator/recovery/cases/{case_id}/resolve`
         *
         * Also works during a hold, and can be repeated: a capture is accepted or refunded only once. `accepted` is for a second capture of a debt, if nothing of it was refunded. `refunded` is for a capture whose company or invoice is not in the database, or whose invoice is paid: the capture is booked to the account `unallocated`, and the refund reverses that. `released` lets invoices be charged again that wait because a journal was lost or because a person had to compare them. Void or credit what is no longer owed first.
         *
         * Needs the role `admin`.
         */
        resolve(caseId: string, body: ResolveCaseBody, options?: RequestOptions): Promise<CaseResolution>;
      };
      invoices: {
        /**
         * List the invoices that wait for a release after a restore: `GET /operator/recovery/invoices`
         *
         * Lists the open invoices of all companies, grouped by company.
         *
         * Needs the role `viewer`.
         */
        list(query?: OperatorRecoveryInvoicesListQuery, options?: RequestOptions): List<WaitingInvoice, WaitingInvoiceList>;
      };
      journals: {
        /**
         * Read another machine's journal: `POST /operator/recovery/journals/{journal_id}/entries`
         *
         * Sends some lines of the journal. The request with the last lines sets `isLast`. What the database lacks becomes cases, and begins a hold if there is none. Lines that were sent before change nothing.
         *
         * Needs the role `admin`.
         */
        entries(journalId: string, body: JournalLinesBody, options?: RequestOptions): Promise<JournalLinesAdded>;
        /**
         * Declare a journal lost: `POST /operator/recovery/journals/{journal_id}/lost`
         *
         * Declares that the journal cannot be recovered, so that a hold can end without it. What only that journal has is not found. Without a hold, it is for a machine or a folder that is given up: no hold asks for its journal. If a process still keeps the journal, the database knows the journal again.
         *
         * Needs the role `admin`.
         */
        lost(journalId: string, options?: RequestOptions): Promise<RecoveryJournal>;
      };
      /**
       * Compare the database with the gateways and the journals now: `POST /operator/recovery/passes`
       *
       * Changes nothing in the books. If the database was restored to an earlier state, the comparison begins a hold. During a hold, the comparison lists what the database lacks, and ends the hold when nothing is missing and the gateways have had time to list their newest objects.
       *
       * Needs the role `admin`.
       */
      passes(options?: RequestOptions): Promise<RecoveryPass>;
      /**
       * Write back to the database what the gateways and the journals have: `POST /operator/recovery/adopt`
       *
       * Processes the open cases in the order in which they happened, each in one transaction, for about 20 seconds. Send the request again until none is left. A finished case stays finished if the request is interrupted. A case that only a person can decide raises the alert `recovery_review`. No case is processed while a journal was neither read nor declared lost.
       *
       * Needs the role `admin`.
       */
      adopt(body: AdoptBody, options?: RequestOptions): Promise<Adopted>;
    };
  };
  invoices: {
    creditNotes: {
      /**
       * List the credit notes of an invoice: `GET /payments/orders/{invoice_id}/credit-notes`
       *
       * The newest credit note comes first.
       *
       * Needs the permission `platform.billing.view`.
       */
      list(invoiceId: string, query?: InvoicesCreditNotesListQuery, options?: RequestOptions): List<CreditNote, CreditNoteList>;
    };
    /**
     * List invoices: `GET /payments/orders`
     *
     * The invoice of the newest period comes first. Each invoice is shown with its latest payment. All filters combine with AND.
     *
     * Needs the permission `platform.billing.view`.
     */
    list(query?: InvoicesListQuery, options?: RequestOptions): List<InvoiceWithPayment, InvoiceList>;
    /**
     * Read the invoices as a file: `GET /payments/orders.csv`
     *
     * CSV (RFC 4180) of all invoices that match, the one of the newest period first.
     *
     * Needs the permission `platform.billing.view`.
     */
    csv(query?: InvoicesCsvQuery, options?: RequestOptions): Promise<string>;
    /**
     * Read an invoice as a PDF: `GET /payments/orders/{invoice_id}/pdf`
     *
     * Returns the invoice as a PDF on A4 pages. It shows the seller and the buyer as they were when the invoice was issued. `Content-Disposition` names the file after the invoice's number.
     *
     * Needs the permission `platform.billing.view`.
     */
    pdf(invoiceId: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
    /**
     * Read an invoice with its payment attempts: `GET /payments/orders/{invoice_id}`
     *
     * Returns the invoice as in the list, with every attempt to charge it and the next step of the automatic collection.
     *
     * Needs the permission `platform.billing.view`.
     */
    get(invoiceId: string, options?: RequestOptions): Promise<InvoiceWithAttempts>;
    link: {
      /**
       * Read the link to pay an invoice: `GET /payments/orders/{invoice_id}/link`
       *
       * Returns the address of a page on which the invoice can be read and paid without a login. The link is made when it is first asked for, and anew after it has expired. It is in every mail about the invoice, and works until 30 days after `dueAt`, or after it was made if that is later. After it was revoked, the answer is 404.
       *
       * Needs the permission `platform.billing.view`.
       */
      get(invoiceId: string, options?: RequestOptions): Promise<InvoiceLink>;
      /**
       * Replace the link to pay an invoice: `POST /payments/orders/{invoice_id}/link`
       *
       * Makes a new link. The one before opens nothing any more, in mails either.
       *
       * Needs the permission `platform.billing.all`.
       */
      replace(invoiceId: string, options?: RequestOptions): Promise<InvoiceLink>;
      /**
       * Revoke the link to pay an invoice: `DELETE /payments/orders/{invoice_id}/link`
       *
       * The link opens nothing any more, and the invoice has none until a new one is created.
       *
       * Needs the permission `platform.billing.all`.
       */
      revoke(invoiceId: string, options?: RequestOptions): Promise<void>;
    };
    /**
     * Pay an invoice: `PUT /payments/orders/{invoice_id}/pay`
     *
     * Uses the company's credit first, and charges the rest to the default card or, without a default, to the only card. An invoice with the method `paypal` is charged to the PayPal account. If the invoice is paid already, the response is 200 and nothing is charged. 202 means that the gateway's answer was lost. Paydesk finds out the outcome later and never guesses it; ask again after `Retry-After`. Charges requested here that the bank declines are counted. After 20 in an hour for one invoice, 60 for one company, 1,000 from one address or 100 for one card, further requests are answered with 429.
     *
     * Needs the permission `platform.billing.all`.
     */
    pay(invoiceId: string, options?: RequestOptions): Promise<Invoice>;
  };
  overview: {
    /**
     * Read what is due, the usage of the month, and what is not set up yet: `GET /payments/overview`
     *
     * Any member of the company may read it. Parts that the role of the member may not see are null: `colleague` needs `platform.admins.view`, everything else `platform.billing.view`.
     *
     * Every member of the company can call this operation.
     */
    get(options?: RequestOptions): Promise<Overview>;
  };
  creditNotes: {
    /**
     * Read a credit note as a PDF: `GET /payments/credit-notes/{credit_note_id}/pdf`
     *
     * Returns the credit note as a PDF, which names the corrected invoice and the reason. The list of the credit notes of an invoice has the ids.
     *
     * Needs the permission `platform.billing.view`.
     */
    pdf(creditNoteId: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
  };
  addresses: {
    /**
     * Save an address: `POST /payments/addresses`
     *
     * A company can have at most 1,000 addresses.
     *
     * Needs the permission `platform.billing.all`.
     */
    create(body: AddressBody, options?: RequestOptions): Promise<Address>;
    /**
     * List addresses: `GET /payments/addresses`
     *
     * The newest address comes first.
     *
     * Needs the permission `platform.billing.view`.
     */
    list(options?: RequestOptions): List<Address, AddressList>;
    /**
     * Change an address: `PUT /payments/addresses/{address_id}`
     *
     * Fields that are absent keep their values.
     *
     * Needs the permission `platform.billing.all`.
     */
    update(addressId: string, body: AddressBody, options?: RequestOptions): Promise<Address>;
    /**
     * Delete an address: `DELETE /payments/addresses/{address_id}`
     *
     * Removes the address from the list. A card that uses the address still shows it.
     *
     * Needs the permission `platform.billing.all`.
     */
    delete(addressId: string, options?: RequestOptions): Promise<void>;
  };
  labels: {
    /**
     * Create a label: `POST /labels`
     *
     * Needs the permission `application.labels.all`.
     */
    create(body: CreateLabelBody, options?: RequestOptions): Promise<Label>;
    /**
     * List labels: `GET /labels`
     *
     * The labels are sorted by name, in the order of the ICU root collation. A page after the last one is empty.
     *
     * Needs the permission `application.labels.view`.
     */
    list(query?: LabelsListQuery, options?: RequestOptions): List<Label, LabelList>;
    /**
     * Delete labels: `DELETE /labels`
     *
     * Deletes the labels that `label_ids` names, in one transaction, and takes them off everything that has them.
     *
     * Needs the permission `application.labels.all`.
     */
    delete(body: DeleteLabelsBody, options?: RequestOptions): Promise<void>;
    /**
     * Read a label: `GET /labels/{label_id}`
     *
     * Needs the permission `application.labels.view`.
     */
    get(labelId: string, options?: RequestOptions): Promise<Label>;
    /**
     * Change a label: `PUT /labels/{label_id}`
     *
     * Fields that are absent keep their values. `userName` is kept as `updatedBy`.
     *
     * Needs the permission `application.labels.all`.
     */
    update(labelId: string, body: UpdateLabelBody, options?: RequestOptions): Promise<Label>;
    assignments: {
      /**
       * Read the labels of one record or of several: `GET /labels/assignments`
       *
       * With `ids`, `data` has the records in that order. A record without labels has an empty list. The caller also needs the permission to view the records: `application.agents.view`, `application.tickets.view` or `application.customers.view`.
       *
       * Needs the permission `application.labels.view`.
       */
      get(query: LabelsAssignmentsGetQuery, options?: RequestOptions): Promise<RecordLabels>;
      /**
       * Set the labels of a record: `PUT /labels/assignments`
       *
       * Replaces the labels of the record. The caller also needs the permission to view the records: `application.agents.view`, `application.tickets.view` or `application.customers.view`.
       *
       * Needs the permission `application.labels.all`.
       */
      set(body: SetLabelsBody, options?: RequestOptions): Promise<LabeledRecord>;
      /**
       * List the records of a label: `GET /labels/{label_id}/assignments`
       *
       * The newest assignment comes first. Without `type`, the list has the records of all types that the caller may view.
       *
       * Needs the permission `application.labels.view`.
       */
      list(labelId: string, query?: LabelsAssignmentsListQuery, options?: RequestOptions): List<LabeledTarget, LabelTargetList>;
      /**
       * Put a label on records: `POST /labels/{label_id}/assignments`
       *
       * A record that already has the label does not change. The caller also needs the permission to view the records: `application.agents.view`, `application.tickets.view` or `application.customers.view`.
       *
       * Needs the permission `application.labels.all`.
       */
      add(labelId: string, body: LabelTargetsBody, options?: RequestOptions): Promise<Label>;
      /**
       * Take a label off records: `DELETE /labels/{label_id}/assignments`
       *
       * A record without the label does not change. The caller also needs the permission to view the records: `application.agents.view`, `application.tickets.view` or `application.customers.view`.
       *
       * Needs the permission `application.labels.all`.
       */
      remove(labelId: string, body: LabelTargetsBody, options?: RequestOptions): Promise<void>;
    };
  };
  company: {
    /**
     * Read your company: `GET /company`
     *
     * Every member of the company can call this operation.
     */
    get(options?: RequestOptions): Promise<OwnCompany>;
    /**
     * Change your company: `PUT /company`
     *
     * Fields that are absent keep their values. An empty text unsets a field.
     *
     * Needs the permission `platform.admins.all`.
     */
    update(body: OwnCompanyBody, options?: RequestOptions): Promise<OwnCompany>;
    members: {
      /**
       * List members: `GET /company/members`
       *
       * The member with the newest account comes first.
       *
       * Needs the permission `platform.admins.view`.
       */
      list(query?: CompanyMembersListQuery, options?: RequestOptions): List<Member, MemberList>;
      /**
       * Give a member another role: `PUT /company/members/{member_id}`
       *
       * The new permissions apply at once in the process that answers, and within a second in others. To give or take a role, the caller must have all of its permissions.
       *
       * Needs the permission `platform.admins.all`.
       */
      update(memberId: string, body: MemberBody, options?: RequestOptions): Promise<Member>;
      /**
       * Remove a member: `DELETE /company/members/{member_id}`
       *
       * The removed member keeps the account as a customer, and all of the member's sessions end. Members can remove themselves without any permission.
       *
       * Needs the permission `platform.admins.all`.
       */
      delete(memberId: string, options?: RequestOptions): Promise<void>;
      /**
       * End a member's sessions: `DELETE /company/members/{member_id}/sessions`
       *
       * Ends all sessions of the member, at once in the process that answers and within a second in others. The member can log in again.
       *
       * Needs the permission `platform.admins.all`.
       */
      revokeSessions(memberId: string, options?: RequestOptions): Promise<void>;
    };
    invitations: {
      /**
       * List invitations: `GET /company/invitations`
       *
       * The open invitations, newest first.
       *
       * Needs the permission `platform.admins.view`.
       */
      list(query?: CompanyInvitationsListQuery, options?: RequestOptions): List<Invitation, InvitationList>;
      /**
       * Invite somebody: `POST /company/invitations`
       *
       * Sends a mail with a link to the address. The recipient signs up or, with an account that belongs to no company, joins with that account. The link works once, for seven days, and only while the inviter is a member of the company.
       *
       * Needs the permission `platform.admins.all`.
       */
      create(body: InvitationBody, options?: RequestOptions): Promise<Invitation>;
      /**
       * Send an invitation again: `POST /company/invitations/{invitation_id}/resend`
       *
       * Sends a mail with a new link, which works for seven days. The previous link stops working. An address gets five mails an hour.
       *
       * Needs the permission `platform.admins.all`.
       */
      resend(invitationId: string, options?: RequestOptions): Promise<Invitation>;
      /**
       * Delete an invitation: `DELETE /company/invitations/{invitation_id}`
       *
       * The link of the invitation stops working.
       *
       * Needs the permission `platform.admins.all`.
       */
      delete(invitationId: string, options?: RequestOptions): Promise<void>;
    };
    settings: {
      /**
       * Read how members sign in: `GET /company/settings`
       *
       * Needs the permission `platform.admins.view`.
       */
      get(options?: RequestOptions): Promise<CompanySettings>;
      /**
       * Change how members sign in: `PUT /company/settings`
       *
       * Fields that are absent keep their values.
       *
       * Needs the permission `platform.admins.all`.
       */
      update(body: CompanySettingsBody, options?: RequestOptions): Promise<CompanySettings>;
    };
    roles: {
      /**
       * List roles: `GET /company/roles`
       *
       * The roles of the company, newest first, followed by the roles of the system.
       *
       * Needs the permission `platform.roles.view`.
       */
      list(query?: CompanyRolesListQuery, options?: RequestOptions): List<Role, RoleList>;
      /**
       * Create a role: `POST /company/roles`
       *
       * The role gets only permissions that the caller has.
       *
       * Needs the permission `platform.roles.all`.
       */
      create(body: CreateRoleBody, options?: RequestOptions): Promise<Role>;
      /**
       * Read a role: `GET /company/roles/{role_id}`
       *
       * Needs the permission `platform.roles.view`.
       */
      get(roleId: string, options?: RequestOptions): Promise<Role>;
      /**
       * Change a role: `PUT /company/roles/{role_id}`
       *
       * Fields that are absent keep their values. Everybody who has the role gets its new permissions, at once in the process that answers and within a second in others. To change a role, the caller must have all permissions that it holds.
       *
       * Needs the permission `platform.roles.all`.
       */
      update(roleId: string, body: UpdateRoleBody, options?: RequestOptions): Promise<Role>;
      /**
       * Delete a role: `DELETE /company/roles/{role_id}`
       *
       * A role can be deleted when no member, no open invitation and no provider has it.
       *
       * Needs the permission `platform.roles.all`.
       */
      delete(roleId: string, options?: RequestOptions): Promise<void>;
    };
    apiKeys: {
      /**
       * List API keys: `GET /company/api-keys`
       *
       * The newest key comes first. An expired key stays on the list until somebody deletes it.
       *
       * Needs the permission `platform.applications.view`.
       */
      list(query?: CompanyApiKeysListQuery, options?: RequestOptions): List<ApiKey, ApiKeyList>;
      /**
       * Create an API key: `POST /company/api-keys`
       *
       * The key gets only permissions that the caller has. Only this answer contains the key. If its creator loses a permission, the key loses it too. If its creator leaves the company, the key stops working.
       *
       * Needs the permission `platform.applications.all`.
       */
      create(body: ApiKeyBody, options?: RequestOptions): Promise<NewApiKey>;
      /**
       * Delete an API key: `DELETE /company/api-keys/{api_key_id}`
       *
       * The key stops working at once in the process that answers, and within a second in other processes.
       *
       * Needs the permission `platform.applications.all`.
       */
      delete(apiKeyId: string, options?: RequestOptions): Promise<void>;
    };
    auditLog: {
      /**
       * List the company's audit log: `GET /company/audit-log`
       *
       * The log has every change of access, settings and money, and every login, newest first. Paydesk writes an entry in the transaction of its change, and never changes or removes the entry. Each entry contains the hash of the entry before it. The log includes what the operator does to the company, without the IP addresses of the operator.
       *
       * Needs the permission `platform.admins.view`.
       */
      list(query?: CompanyAuditLogListQuery, options?: RequestOptions): List<AuditEntry, AuditEntryList>;
      /**
       * Read the company's audit log as a file: `GET /company/audit-log.csv`
       *
       * CSV (RFC 4180), newest first. The column `changes` contains JSON.
       *
       * Needs the permission `platform.admins.view`.
       */
      csv(query?: CompanyAuditLogCsvQuery, options?: RequestOptions): Promise<string>;
    };
  };
  billingSettings: {
    /**
     * Read the billing settings: `GET /payments/billing-settings`
     *
     * How the company is billed, without what only the operator may see.
     *
     * Needs the permission `platform.billing.view`.
     */
    get(options?: RequestOptions): Promise<BillingSettings>;
    /**
     * Choose how invoices are paid: `PUT /payments/billing-settings`
     *
     * A company can change only how its invoices are paid. Other fields are ignored.
     *
     * Needs the permission `platform.billing.all`.
     */
    update(body: BillingSettingsBody, options?: RequestOptions): Promise<BillingSettings>;
  };
  mailSettings: {
    /**
     * Read who gets the mails about money: `GET /payments/mail-settings`
     *
     * Needs the permission `platform.billing.view`.
     */
    get(options?: RequestOptions): Promise<MailSettings>;
    /**
     * Choose who gets the mails about money, and which: `PUT /payments/mail-settings`
     *
     * Fields that are absent keep their values. What is set holds for the mails that are written from then on.
     *
     * Needs the permission `platform.billing.all`.
     */
    update(body: OwnMailSettingsBody, options?: RequestOptions): Promise<MailSettings>;
  };
  usage: {
    /**
     * List usage: `GET /payments/usage`
     *
     * Returns the company's usage of each path in each interval, the oldest interval first. Intervals without usage are left out. An event counts as soon as it is acknowledged. The first interval begins, and the last interval ends, with the requested period.
     *
     * Needs the permission `platform.billing.view`.
     */
    list(query?: UsageListQuery, options?: RequestOptions): List<UsageSum, UsageList>;
    /**
     * Read the usage as a file: `GET /payments/usage.csv`
     *
     * CSV (RFC 4180) of all rows that `GET /payments/usage` lists, in the same order.
     *
     * Needs the permission `platform.billing.view`.
     */
    csv(query?: UsageCsvQuery, options?: RequestOptions): Promise<string>;
  };
  usageThresholds: {
    /**
     * List usage thresholds: `GET /payments/usage-thresholds`
     *
     * Lists at most 20 thresholds, the newest first.
     *
     * Needs the permission `platform.billing.view`.
     */
    list(options?: RequestOptions): List<UsageThreshold, UsageThresholdList>;
    /**
     * Add a usage threshold: `POST /payments/usage-thresholds`
     *
     * When the company's usage of the path in a billing period (a month in its time zone) reaches the quantity, one event `usage.threshold_reached` is sent within seconds. The threshold applies from the current period on, even if it is reached already. There is no second event in the same period. Usage that arrives after the month counts for that month until the month is billed. A company can have at most 20 thresholds.
     *
     * Needs the permission `platform.billing.all`.
     */
    create(body: UsageThresholdBody, options?: RequestOptions): Promise<UsageThreshold>;
    /**
     * Delete a usage threshold: `DELETE /payments/usage-thresholds/{threshold_id}`
     *
     * Needs the permission `platform.billing.all`.
     */
    delete(thresholdId: string, options?: RequestOptions): Promise<void>;
  };
  upcomingInvoice: {
    /**
     * Read the upcoming invoice: `GET /payments/upcoming-invoice`
     *
     * Computes the invoice of the current month from the usage so far or, with `period`, of an earlier month that is not billed yet. Months between the last invoice and that month are treated as billed. Nothing is stored.
     *
     * Needs the permission `platform.billing.view`.
     */
    get(query?: UpcomingInvoiceGetQuery, options?: RequestOptions): Promise<UpcomingInvoice>;
  };
  webhookEndpoints: {
    /**
     * List the webhook endpoints of the company: `GET /payments/webhook-endpoints`
     *
     * The newest endpoint comes first.
     *
     * Needs the permission `platform.applications.view`.
     */
    list(options?: RequestOptions): List<WebhookEndpoint, WebhookEndpointList>;
    /**
     * Add a webhook endpoint of the company: `POST /payments/webhook-endpoints`
     *
     * Only this answer contains the secret, and its repeats with the same `Idempotency-Key`. There can be at most 20 endpoints.
     *
     * Needs the permission `platform.applications.all`.
     */
    create(body: CreateWebhookEndpointBody, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
    /**
     * Read a webhook endpoint of the company: `GET /payments/webhook-endpoints/{endpoint_id}`
     *
     * Needs the permission `platform.applications.view`.
     */
    get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint>;
    /**
     * Change a webhook endpoint of the company: `PUT /payments/webhook-endpoints/{endpoint_id}`
     *
     * Fields that are absent keep their values.
     *
     * Needs the permission `platform.applications.all`.
     */
    update(endpointId: string, body: UpdateWebhookEndpointBody, options?: RequestOptions): Promise<WebhookEndpoint>;
    /**
     * Delete a webhook endpoint of the company: `DELETE /payments/webhook-endpoints/{endpoint_id}`
     *
     * Deletes the endpoint and its deliveries.
     *
     * Needs the permission `platform.applications.all`.
     */
    delete(endpointId: string, options?: RequestOptions): Promise<void>;
    /**
     * Rotate the secret of a webhook endpoint of the company: `POST /payments/webhook-endpoints/{endpoint_id}/rotate-secret`
     *
     * Only this answer contains the new secret. For 24 hours, Paydesk signs each event with both the new secret and the one before. If you rotate again in that time, only the two newest secrets sign.
     *
     * Needs the permission `platform.applications.all`.
     */
    rotateSecret(endpointId: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
    /**
     * Test a webhook endpoint of the company: `POST /payments/webhook-endpoints/{endpoint_id}/test`
     *
     * Sends a `webhook.ping`, whatever event types the endpoint gets. The limit is 10 requests a minute for an endpoint and 60 for all endpoints together. Further requests are answered with 429.
     *
     * Needs the permission `platform.applications.all`.
     */
    test(endpointId: string, options?: RequestOptions): Promise<WebhookTest>;
    deliveries: {
      /**
       * List the deliveries to a webhook endpoint of the company: `GET /payments/webhook-endpoints/{endpoint_id}/deliveries`
       *
       * The newest event comes first. Each delivery has its attempts. Paydesk keeps deliveries for 90 days.
       *
       * Needs the permission `platform.applications.view`.
       */
      list(endpointId: string, query?: WebhookEndpointsDeliveriesListQuery, options?: RequestOptions): List<WebhookDelivery, WebhookDeliveryList>;
    };
    /**
     * Send events again to a webhook endpoint of the company: `POST /payments/webhook-endpoints/{endpoint_id}/replay`
     *
     * Sends one event, whatever its type, or all events of a time range whose types the endpoint gets. The range includes events that the endpoint has never got. The events keep their ids, and their attempts start again from 1. The limit is 10 requests a minute for an endpoint and 60 for all endpoints together. Further requests are answered with 429.
     *
     * Needs the permission `platform.applications.all`.
     */
    replay(endpointId: string, body: WebhookReplayBody, options?: RequestOptions): Promise<WebhookReplay>;
  };
  sandbox: {
    /**
     * Type a card or an account into the fields of the sandbox: `POST /gateways/sandbox/setups/confirm`
     *
     * Confirms a setup, as the script of a real gateway does in the browser: with exactly one of `card` and `sepaDebit`. With `sepaDebit`, `mandateAccepted` has to be true. Only while the sandbox is the gateway; otherwise 404. It needs no credential but `clientSecret`.
     */
    confirmSetup(body: SandboxSetupBody, options?: RequestOptions): Promise<SandboxSetupAnswer>;
    /**
     * Answer the question of the sandbox’s bank: `POST /gateways/sandbox/challenges`
     *
     * Answers what the bank asks the holder of a card to confirm, when the card is saved or charged. Only while the sandbox is the gateway; otherwise 404. It needs no credential but `clientSecret`.
     */
    answerChallenge(body: SandboxChallengeBody, options?: RequestOptions): Promise<SandboxChallengeAnswer>;
  };
};
