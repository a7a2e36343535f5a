export const messages = {
  title: 'Billing runs',
  description: 'Each run issues the invoices of a month. It can be started again: nobody is billed twice.',
  start: 'Start billing run',
  startText:
    'Issues the invoices of {month} for all companies with usage or items. Invoices that exist stay as they are.',
  started: 'The billing run has begun',
  running: 'Billing {month}',
  progress: '{done} of {companies} companies, {invoices, plural, one {# invoice} other {# invoices}}',
  left: '{seconds, plural, one {# second left} other {# seconds left}}',
  companies: 'Companies',
  invoices: 'Invoices',
  failures: 'Failures',
  skipped: 'Without an invoice',
  begun: 'Begun',
  finished: 'Finished',
  statuses: {
    running: 'Running',
    waiting: 'Waiting',
    done: 'Done',
    failed: 'Failed',
  },
  empty: {
    title: 'No billing runs yet',
    text: 'Start one when the first month with usage is over.',
  },
} as const;
