export const messages = {
  title: 'Alerts',
  description: 'What a person has to look at. Acknowledge what is done.',
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
