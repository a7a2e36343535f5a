export const messages = {
  title: 'Operator keys',
  description: 'With which programs, and people without a login of their own, use the operator’s side.',
  create: 'Create key',
  created: 'The key is shown only once. Copy it now.',
  copy: 'Copy the key',
  copied: 'Copied',
  done: 'Done',
  prefix: 'Begins with',
  roles: {
    viewer: 'Viewer',
    finance: 'Finance',
    admin: 'Admin',
    integration: 'Integration',
  },
  delete: 'Delete key',
  deleteText: 'Whatever uses this key is refused at once.',
  typeName: 'Type the name of the key',
  empty: {
    title: 'No keys',
    text: 'Create a key for each program.',
  },
} as const;
