export const messages = {
  noAnswer: 'No answer came from the service. Check your connection and try again: nothing is done twice.',
  tooMany: 'Too many tries. Try again in {seconds, plural, one {# second} other {# seconds}}.',
  ours: 'Something went wrong on our side, and nothing was lost. Try again in a moment.',
  required: 'Fill in this field.',
  save: 'Save',
  saved: 'Saved',
  cancel: 'Cancel',
  close: 'Close',
  unsaved: 'You have changes that are not saved. Leave this page without them?',
} as const;
