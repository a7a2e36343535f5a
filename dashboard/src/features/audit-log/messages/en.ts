export const messages = {
  title: 'Audit log',
  description: 'Who changed what in your company.',
  changes: 'Changes',
  actors: {
    user: 'A member',
    api_key: 'An API key',
    customer_session: 'A customer session',
    operator_key: 'The operator',
    staff: 'The operator',
    system: 'The service',
    command_line: 'The operator',
    anonymous: 'Nobody logged in',
  },
  empty: {
    title: 'No entries',
    text: 'Each change leaves an entry here.',
  },
} as const;
