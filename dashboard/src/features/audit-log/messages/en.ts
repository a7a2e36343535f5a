export const messages = {
  title: 'Audit log',
  descriptions: {
    company: 'Who changed what in your company.',
    operator:
      'Who changed what. A request id leads to its entry; of requests that changed nothing, the log of the service has the line.',
  },
  changes: 'Changes',
  actors: {
    user: 'A member',
    api_key: 'An API key',
    customer_session: 'A customer session',
    operator_key: 'The operator, with a key',
    staff: 'The operator’s staff',
    system: 'The service',
    command_line: 'The operator, at the command line',
    anonymous: 'Nobody logged in',
  },
  noHistory: 'Nothing is recorded',
  noHistoryText: 'The audit log has no entry about this record.',
  fields: '{count, plural, one {# field} other {# fields}}',
  changedFields: '{count, plural, one {# changed field} other {# changed fields}}',
  empty: {
    title: 'No entries',
    text: 'Each change leaves an entry here.',
  },
} as const;
