export const messages = {
  title: 'Alerts',
  description: 'Problems that need a person. Acknowledge an alert when its problem is resolved.',
  acknowledge: 'Acknowledge',
  message: 'What happened',
  states: {
    open: 'Open',
    acknowledged: 'Acknowledged',
  },
  empty: {
    title: 'No alerts',
    text: 'The service writes here when something needs a person.',
  },
} as const;
