import { DOMAIN_ORDER } from './folders.ts';

/** The tables of the database by the domain that owns them: what they hold follows from the rules of that domain alone. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'idempotency_keys',
    'installation',
    'job_failures',
    'processes',
    'row_counts',
    'schedules',
    'schema_migrations',
  ],
  continuity: ['charges_holds', 'journals', 'marks'],
  outbox: ['events', 'webhook_attempts', 'webhook_deliveries', 'webhook_endpoints'],
  audit: ['audit_contents', 'audit_entries', 'audit_heads', 'audit_pending'],
  alerts: ['alerts'],
  seller: ['seller'],
  mail: ['mail_counts', 'mail_server', 'mails'],
  customers: ['addresses', 'billing_information', 'billing_information_changes', 'companies'],
  labels: ['label_assignment_counts', 'label_assignments', 'label_counts', 'labels'],
  gateways: ['gateway_customers'],
  methods: ['asked_charges', 'card_setups', 'cards', 'paypal_accounts'],
  identity: [
    'api_keys',
    'customer_sessions',
    'email_reverts',
    'email_tokens',
    'forgotten_passwords',
    'integration',
    'invitations',
    'known_networks',
    'login_failures',
    'login_locks',
    'mail_settings',
    'network_counts',
    'operator_keys',
    'operator_sessions',
    'passkey_challenges',
    'passkeys',
    'recovery_codes',
    'roles',
    'second_factor_tokens',
    'sessions',
    'sign_in_links',
    'sign_in_providers',
    'staff_invitations',
    'totp_secrets',
    'used_sign_in_states',
    'users',
  ],
  metering: [
    'prices',
    'unattributed_events',
    'unattributed_ids',
    'usage_attributions',
    'usage_cutoffs',
    'usage_days',
    'usage_deltas',
    'usage_event_keys',
    'usage_events',
    'usage_hours',
    'usage_retention',
    'usage_threshold_checks',
    'usage_thresholds',
  ],
  billing: [
    'billed_periods',
    'billing_preview_invoices',
    'billing_previews',
    'billing_runs',
    'credit_balances',
    'credit_entries',
    'credit_notes',
    'invoice_counts',
    'invoice_sum_changes',
    'invoice_sums',
    'invoices',
    'items',
    'lost_numbers',
    'number_series',
    'numbering',
    'usage_taken',
    'usage_threshold_crossings',
  ],
  payments: [
    'collections',
    'dispute_movements',
    'disputes',
    'gateway_looks',
    'gateway_notices',
    'invoice_links',
    'payments',
    'refunds',
  ],
  ledger: [
    'gateway_fees',
    'gateway_payouts',
    'ledger_balances',
    'ledger_months',
    'ledger_postings',
    'unallocated_captures',
    'unallocated_refunds',
  ],
  recovery: ['gateway_comparisons', 'missing_marks', 'recovery_cases'],
  'operator-lists': ['company_search_terms'],
};

const OWNERS = new Map(Object.entries(TABLES).flatMap(([domain, tables]) => tables.map((table) => [table, domain])));

/** The domain that owns a table; undefined for a name that is none. */
export function ownerOf(table: string): string | undefined {
  return OWNERS.get(table);
}

/** Whether a domain may read and write a table: its owner, and every domain after it. */
export function mayUse(domain: string, table: string): boolean {
  return DOMAIN_ORDER.indexOf(domain) >= DOMAIN_ORDER.indexOf(ownerOf(table) ?? '');
}

const NAME = `(?:${[...OWNERS.keys()].join('|')})\\b`;

/** Where SQL names a table: after a keyword, in a list after FROM, before a column, as the type of a row. */
export const TABLE_IN_SQL = new RegExp(
  [
    `(?<=\\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE|ONLY)\\s+)${NAME}`,
    `(?<=\\bFROM\\s[^()]*,\\s*)${NAME}`,
    `\\b${NAME}(?=\\.\\w)`,
    `(?<=::)${NAME}`,
    // A part that begins with the table, or is its name.
    `^${NAME}(?=\\s+JOIN\\b|$)`,
  ].join('|'),
  'g',
);
