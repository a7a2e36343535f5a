export const messages = {
  title: 'Staff',
  description: 'The people who use this console with their own login and a second factor.',
  invite: 'Invite',
  inviteTitle: 'Invite a colleague',
  invited: 'Invitation sent',
  inviteYourself: 'Invite yourself at Staff',
  roles: {
    viewer: 'Viewer',
    finance: 'Finance',
    admin: 'Admin',
  },
  statuses: {
    invited: 'Invited',
    active: 'Active',
  },
  empty: {
    title: 'Nobody yet',
    text: 'Invite the people who look after invoices and payments.',
  },
} as const;
