export const messages = {
  title: 'Usage',
  description: 'What a company has used, by path and time.',
  granularity: 'By',
  company: 'Company id or external:id',
  choose: 'Choose a company',
  chooseText: 'Open the usage of a company from its page, or enter its id above.',
  start: 'Start',
  empty: {
    title: 'No usage',
    text: 'The product has reported nothing for this company yet.',
  },
} as const;
