import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `The link works once, for ${valid}.`;
const NOT_YOU = 'If that was not you, reset your password at once.';
const CODES_MADE = 'Ten recovery codes were created. Each code works once instead of the second factor.';
const CODES_GONE = 'The recovery codes do not work any more.';

/** The mails in English. */
export const english: Language = {
  greeting: 'Hello,',
  factors: {
    passkey: (name) => `the passkey “${name}”`,
    morePasskeys: (count) => `${count} more ${count === 1 ? 'passkey' : 'passkeys'}`,
    totp: 'the authenticator app',
    recoveryCodes: 'the recovery codes',
  },
  mails: {
    verify_email: ({ seller, valid }) => ({
      subject: `Confirm your e-mail address for ${seller}`,
      paragraphs: [`Please confirm that this e-mail address belongs to your account at ${seller}.`],
      button: 'Confirm e-mail address',
      notes: [validity(valid), 'If you did not create an account, ignore this e-mail.'],
    }),
    reset_password: ({ seller, valid }) => ({
      subject: `Reset your password for ${seller}`,
      paragraphs: [
        `You asked to reset the password of your account at ${seller}.`,
        'When you choose a new password, all your devices are logged out.',
      ],
      button: 'Choose a new password',
      notes: [validity(valid), 'If you did not ask for it, ignore this e-mail: your password stays as it is.'],
    }),
    password_changed: (facts) => ({
      subject: `Your password for ${facts.seller} was changed`,
      paragraphs: [
        `The password of your account at ${facts.seller} was changed, and your other devices were logged out.`,
        ...tellFactors(facts),
        'If you did not change it, reset your password at once.',
      ],
      notes: [],
    }),
    change_email: ({ seller, valid }) => ({
      subject: `Confirm your new e-mail address for ${seller}`,
      paragraphs: [
        `Please confirm that you want to use this e-mail address for your account at ${seller}.`,
        'Until then, your account keeps its old address.',
      ],
      button: 'Confirm new e-mail address',
      notes: [validity(valid), 'If you did not ask for it, ignore this e-mail.'],
    }),
    email_changing: ({ seller, valid, newEmail }) => ({
      subject: `The e-mail address of your account at ${seller} is changing`,
      paragraphs: [
        `You asked to change the e-mail address of your account at ${seller} to ${newEmail}. You need not do anything.`,
        'If you did not ask for it, keep your address with this link. It undoes the change and logs out all devices.',
      ],
      button: 'Keep my e-mail address',
      notes: [validity(valid)],
    }),
    email_kept: (facts) => ({
      subject: `Your account at ${facts.seller} keeps this e-mail address`,
      paragraphs: [
        `The change of the e-mail address of your account at ${facts.seller} was undone, and all devices were logged out.`,
        ...tellFactors(facts),
        'Now reset your password: the person who asked for the change knows it.',
      ],
      notes: [],
    }),
    passkey_added: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `A passkey was added to your account at ${seller}`,
      paragraphs: [
        `The passkey “${passkey}” was added to your account at ${seller}. It logs in without your password.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    passkey_removed: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `A passkey was removed from your account at ${seller}`,
      paragraphs: [
        `The passkey “${passkey}” was removed from your account at ${seller}.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_enabled: ({ seller, withRecoveryCodes }) => ({
      subject: `An authenticator app was added to your account at ${seller}`,
      paragraphs: [
        `To log in to your account at ${seller}, you now also need a code of an authenticator app.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_disabled: ({ seller, withRecoveryCodes }) => ({
      subject: `The authenticator app was removed from your account at ${seller}`,
      paragraphs: [
        `To log in to your account at ${seller}, you no longer need a code of your authenticator app.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    recovery_codes_replaced: ({ seller }) => ({
      subject: `New recovery codes for your account at ${seller}`,
      paragraphs: [
        `Ten new recovery codes were created for your account at ${seller}. The previous codes no longer work.`,
        NOT_YOU,
      ],
      notes: [],
    }),
    invitation: (facts) => ({
      subject: invites(facts),
      paragraphs: [invitesInRole(facts)],
      button: 'Accept the invitation',
      notes: [validity(facts.valid), 'If you do not know who invites you, ignore this e-mail.'],
    }),
    charges_held: ({ seller }) => ({
      subject: `Charges of ${seller} are held`,
      paragraphs: [
        `Records of work that was already done are missing from the database of ${seller}, or a journal is missing. In most cases a ` +
          'backup was restored, or a failover lost the last transactions.',
        'Nothing is charged, refunded or billed until this is resolved. This command shows what is missing and what Paydesk ' +
          'will do about it. It changes nothing:',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'The page “Backup and restore” of the documentation says what to do, step by step. A false alarm ends by itself.',
      ],
    }),
  },
};

/** Which second factors a reset or a way back has ended, and which still work. */
function tellFactors({ ended, kept }: MailFacts): string[] {
  const what = `These were removed, because they were set up before this address was known to be yours, or by somebody else: ${ended}.`;
  return [
    ...(ended === '' ? [] : [`${what} To use one of them again, log in with a new password and set it up again.`]),
    ...(kept === '' ? [] : [`These still work: ${kept}. Remove what you do not know.`]),
  ];
}

/** Who invites to what: somebody, or else the seller itself, to the company, or else to the seller. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return company === '' ? `${seller} invites you` : `${seller} invites you to join ${company}`;
  return company === '' ? `${inviter} invites you to ${seller}` : `${inviter} invites you to join ${company}`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '') return `${seller} invites you ${company === '' ? '' : `to join ${company} `}in the role ${role}.`;
  const place = company === '' ? seller : `join ${company} at ${seller}`;
  return `${inviter} invites you to ${place} in the role ${role}.`;
}
