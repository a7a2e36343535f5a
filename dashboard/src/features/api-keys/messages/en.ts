export const messages = {
  title: 'API keys',
  description:
    'A program uses the API of your company with a key. A key may do what it is given, and never more than its creator.',
  create: 'Create API key',
  access: 'Access',
  accesses: {
    view: 'Read everything that you may read',
    all: 'Everything that you may do',
  },
  created: 'The key is shown only once. Copy it now.',
  copy: 'Copy the key',
  copied: 'Copied',
  done: 'Done',
  prefix: 'Begins with',
  delete: 'Delete API key',
  deleteText: 'Programs that use it are refused at once.',
  typeName: 'Type the name of the key',
  mayNot: 'Your role may not create API keys.',
  empty: {
    title: 'No API keys yet',
    text: 'Create a key for the first program.',
  },
} as const;
