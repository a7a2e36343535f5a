export const messages = {
  title: 'Mail settings',
  description: 'The mails about invoices, payments and cards: who gets them, in which language, and which ones.',
  toWhom: 'Recipients and language',
  recipients: 'Recipients',
  recipientsText:
    'One e-mail address on each line, ten at most. Without any, the mails go to the members who manage both the team and its roles.',
  language: 'Language',
  languageText: 'For a language in which there are no mails yet, they are written in English.',
  withoutMails: '{language} (mails in English)',
  which: 'Mails',
  whichText: 'What is turned off is not sent.',
  about: {
    invoice_issued: 'When an invoice is issued, with its PDF.',
    receipt: 'When a payment has succeeded.',
    payment_failed: 'When a payment was declined, with what happens next.',
    confirmation_needed: 'When the bank asks for the confirmation of a payment.',
    card_expires: '30 days before the default card expires.',
  },
  saved: 'The mail settings are saved',
  readOnly: 'Your role may only look at the mail settings.',
} as const;
