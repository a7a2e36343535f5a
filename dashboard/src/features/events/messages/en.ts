export const messages = {
  title: 'Events',
  description: 'What the service sends to webhook endpoints, the newest first.',
  data: 'Data',
  empty: {
    title: 'No events yet',
    text: 'Each change of a record appears here.',
  },
} as const;
