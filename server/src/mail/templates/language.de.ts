import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `Der Link funktioniert einmal und ist ${valid} gültig.`;
const NOT_YOU = 'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück.';
const CODES_MADE =
  'Es wurden zehn Wiederherstellungscodes erstellt. Jeder Code funktioniert einmal anstelle des zweiten Faktors.';
const CODES_GONE = 'Die Wiederherstellungscodes funktionieren nicht mehr.';

/** The mails in German. */
export const german: Language = {
  greeting: 'Guten Tag,',
  factors: {
    passkey: (name) => `der Passkey „${name}“`,
    morePasskeys: (count) => `${count} ${count === 1 ? 'weiterer Passkey' : 'weitere Passkeys'}`,
    totp: 'die Authentifizierungs-App',
    recoveryCodes: 'die Wiederherstellungscodes',
  },
  mails: {
    verify_email: ({ seller, valid }) => ({
      subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${seller}`,
      paragraphs: [`Bitte bestätigen Sie, dass diese E-Mail-Adresse zu Ihrem Konto bei ${seller} gehört.`],
      button: 'E-Mail-Adresse bestätigen',
      notes: [validity(valid), 'Wenn Sie kein Konto angelegt haben, ignorieren Sie diese E-Mail.'],
    }),
    reset_password: ({ seller, valid }) => ({
      subject: `Setzen Sie Ihr Passwort für ${seller} zurück`,
      paragraphs: [
        `Sie haben angefordert, das Passwort Ihres Kontos bei ${seller} zurückzusetzen.`,
        'Wenn Sie ein neues Passwort wählen, werden alle Ihre Geräte abgemeldet.',
      ],
      button: 'Neues Passwort wählen',
      notes: [
        validity(valid),
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
      ],
    }),
    password_changed: (facts) => ({
      subject: `Ihr Passwort für ${facts.seller} wurde geändert`,
      paragraphs: [
        `Das Passwort Ihres Kontos bei ${facts.seller} wurde geändert, und Ihre anderen Geräte wurden abgemeldet.`,
        ...tellFactors(facts),
        'Wenn Sie es nicht geändert haben, setzen Sie Ihr Passwort sofort zurück.',
      ],
      notes: [],
    }),
    change_email: ({ seller, valid }) => ({
      subject: `Bestätigen Sie Ihre neue E-Mail-Adresse für ${seller}`,
      paragraphs: [
        `Bitte bestätigen Sie, dass Sie diese E-Mail-Adresse für Ihr Konto bei ${seller} verwenden möchten.`,
        'Bis dahin behält Ihr Konto die alte Adresse.',
      ],
      button: 'Neue E-Mail-Adresse bestätigen',
      notes: [validity(valid), 'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.'],
    }),
    email_changing: ({ seller, valid, newEmail }) => ({
      subject: `Die E-Mail-Adresse Ihres Kontos bei ${seller} wird geändert`,
      paragraphs: [
        `Sie haben angefordert, die E-Mail-Adresse Ihres Kontos bei ${seller} in ${newEmail} zu ändern. Sie müssen nichts tun.`,
        'Wenn Sie das nicht angefordert haben, behalten Sie Ihre Adresse mit diesem Link. Er macht die Änderung ' +
          'rückgängig und meldet alle Geräte ab.',
      ],
      button: 'Meine E-Mail-Adresse behalten',
      notes: [validity(valid)],
    }),
    email_kept: (facts) => ({
      subject: `Ihr Konto bei ${facts.seller} behält diese E-Mail-Adresse`,
      paragraphs: [
        `Die Änderung der E-Mail-Adresse Ihres Kontos bei ${facts.seller} wurde rückgängig gemacht, und alle Geräte ` +
          'wurden abgemeldet.',
        ...tellFactors(facts),
        'Setzen Sie jetzt Ihr Passwort zurück: Wer die Änderung angefordert hat, kennt es.',
      ],
      notes: [],
    }),
    passkey_added: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `Ihrem Konto bei ${seller} wurde ein Passkey hinzugefügt`,
      paragraphs: [
        `Der Passkey „${passkey}“ wurde Ihrem Konto bei ${seller} hinzugefügt. Damit ist eine Anmeldung ohne Ihr Passwort möglich.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    passkey_removed: ({ seller, passkey, withRecoveryCodes }) => ({
      subject: `Aus Ihrem Konto bei ${seller} wurde ein Passkey entfernt`,
      paragraphs: [
        `Der Passkey „${passkey}“ wurde aus Ihrem Konto bei ${seller} entfernt.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_enabled: ({ seller, withRecoveryCodes }) => ({
      subject: `Ihrem Konto bei ${seller} wurde eine Authentifizierungs-App hinzugefügt`,
      paragraphs: [
        `Um sich bei Ihrem Konto bei ${seller} anzumelden, brauchen Sie jetzt zusätzlich einen Code aus einer Authentifizierungs-App.`,
        ...(withRecoveryCodes ? [CODES_MADE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    totp_disabled: ({ seller, withRecoveryCodes }) => ({
      subject: `Die Authentifizierungs-App wurde aus Ihrem Konto bei ${seller} entfernt`,
      paragraphs: [
        `Um sich bei Ihrem Konto bei ${seller} anzumelden, brauchen Sie keinen Code aus Ihrer Authentifizierungs-App mehr.`,
        ...(withRecoveryCodes ? [CODES_GONE] : []),
        NOT_YOU,
      ],
      notes: [],
    }),
    recovery_codes_replaced: ({ seller }) => ({
      subject: `Neue Wiederherstellungscodes für Ihr Konto bei ${seller}`,
      paragraphs: [
        `Für Ihr Konto bei ${seller} wurden zehn neue Wiederherstellungscodes erstellt. Die bisherigen funktionieren nicht mehr.`,
        NOT_YOU,
      ],
      notes: [],
    }),
    invitation: (facts) => ({
      subject: invites(facts),
      paragraphs: [invitesInRole(facts)],
      button: 'Einladung annehmen',
      notes: [validity(facts.valid), 'Wenn Sie nicht wissen, wer Sie einlädt, ignorieren Sie diese E-Mail.'],
    }),
    charges_held: ({ seller }) => ({
      subject: `Zahlungen von ${seller} sind angehalten`,
      paragraphs: [
        `In der Datenbank von ${seller} fehlen Einträge über bereits ausgeführte Vorgänge, oder ein Journal fehlt. ` +
          'Meist wurde eine Sicherung wiederhergestellt, oder ein Failover hat die letzten Transaktionen verloren.',
        'Bis das geklärt ist, wird nichts abgebucht, erstattet oder abgerechnet. ' +
          'Dieser Befehl zeigt, was fehlt und was Paydesk deshalb tun wird. Er ändert nichts:',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'Die Seite „Backup and restore“ der Dokumentation sagt Schritt für Schritt, was zu tun ist. Ein Fehlalarm endet von selbst.',
      ],
    }),
  },
};

/** Which second factors a reset or a way back has ended, and which still work. */
function tellFactors({ ended, kept }: MailFacts): string[] {
  const what = `Entfernt, weil eingerichtet, bevor feststand, dass diese Adresse Ihnen gehört, oder von jemand anderem: ${ended}.`;
  return [
    ...(ended === ''
      ? []
      : [
          `${what} Um etwas davon wieder zu nutzen, melden Sie sich mit einem neuen Passwort an und richten Sie es neu ein.`,
        ]),
    ...(kept === '' ? [] : [`Weiterhin gültig: ${kept}. Entfernen Sie, was Sie nicht kennen.`]),
  ];
}

/** Who invites to what: somebody, or else the seller itself, to the company, or else to the seller. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return company === '' ? `${seller} lädt Sie ein` : `${seller} lädt Sie zu ${company} ein`;
  return `${inviter} lädt Sie zu ${company || seller} ein`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '') return `${seller} lädt Sie mit der Rolle ${role} ${company === '' ? '' : `zu ${company} `}ein.`;
  const place = company === '' ? seller : `${company} bei ${seller}`;
  return `${inviter} lädt Sie mit der Rolle ${role} zu ${place} ein.`;
}
