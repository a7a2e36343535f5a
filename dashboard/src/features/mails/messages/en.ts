export const messages = {
  title: 'E-mails',
  description: 'What the service has sent, or keeps because no mail server is set up.',
  statuses: {
    queued: 'Queued',
    sent: 'Sent',
    failed: 'Failed',
    kept: 'Kept',
  },
  types: {
    verify_email: 'Verify the e-mail',
    reset_password: 'Reset the password',
    password_changed: 'Password changed',
    change_email: 'Change of e-mail',
    email_changing: 'E-mail changes',
    email_kept: 'E-mail kept',
    passkey_added: 'Passkey added',
    passkey_removed: 'Passkey removed',
    totp_enabled: 'Authenticator app on',
    totp_disabled: 'Authenticator app off',
    recovery_codes_replaced: 'New recovery codes',
    invitation: 'Invitation',
    charges_held: 'Charges held',
  },
  empty: {
    title: 'No e-mails yet',
    text: 'The first one is sent when somebody signs up.',
  },
} as const;
