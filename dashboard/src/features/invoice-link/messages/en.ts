export const messages = {
  share: 'Share link',
  title: 'Link to invoice {number}',
  text: 'Whoever has this link can read the invoice and pay it, without a login. Mails about the invoice have it too.',
  address: 'Link',
  copy: 'Copy the link',
  copied: 'Copied',
  until: 'It works until',
  revoked: 'The link to this invoice was revoked: nobody can open it any more.',
  create: 'Create link',
  created: 'The new link works from now on',
  replace: 'Replace link',
  replaceText:
    'The link to invoice {number} that was sent before stops working, also in mails. A new one takes its place.',
  revoke: 'Revoke link',
  revokeText: 'The link to invoice {number} stops working, also in mails. The invoice stays as it is.',
  wasRevoked: 'The link is revoked',
  notAllowed: 'Your role may only copy the link.',
} as const;
