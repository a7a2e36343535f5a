export const messages = {
  title: 'Events',
  description: 'What webhook endpoints are told, the newest first.',
  data: 'Data',
  empty: {
    title: 'No events yet',
    text: 'Each change of a record appears here.',
  },
} as const;
