import { ADOPT_COMMAND, type Language, type MailFacts } from './mails.ts';

const validity = (valid: string) => `Der Link funktioniert einmal und ist ${valid} gültig.`;

/** The mails in German. */
export const german: Language = {
  greeting: 'Guten Tag,',
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
        `Sie möchten das Passwort Ihres Kontos bei ${seller} zurücksetzen.`,
        'Wenn Sie ein neues Passwort wählen, werden alle Ihre Geräte abgemeldet.',
      ],
      button: 'Neues Passwort wählen',
      notes: [
        validity(valid),
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
      ],
    }),
    password_changed: ({ seller }) => ({
      subject: `Ihr Passwort für ${seller} wurde geändert`,
      paragraphs: [
        `Das Passwort Ihres Kontos bei ${seller} wurde geändert, und Ihre anderen Geräte wurden abgemeldet.`,
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
        `Sie möchten die E-Mail-Adresse Ihres Kontos bei ${seller} in ${newEmail} ändern. Sie müssen nichts weiter tun.`,
        'Wenn Sie das nicht angefordert haben, behalten Sie Ihre Adresse mit diesem Link. Er macht die Änderung ' +
          'rückgängig und meldet alle Geräte ab.',
      ],
      button: 'Meine E-Mail-Adresse behalten',
      notes: [validity(valid)],
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
        `Der Datenbank von ${seller} fehlt, was schon geschehen ist, oder ein Journal fehlt. ` +
          'Meist wurde eine Sicherung wiederhergestellt, oder ein Failover hat die letzten Transaktionen verloren.',
        'Bis das geklärt ist, wird nichts abgebucht, erstattet oder abgerechnet. ' +
          'Dieser Befehl zeigt, was fehlt und was getan wird, und ändert nichts:',
      ],
      command: ADOPT_COMMAND,
      notes: [
        'Die Seite „Backup and restore“ der Dokumentation sagt Schritt für Schritt, was zu tun ist. Ein Fehlalarm endet von selbst.',
      ],
    }),
  },
};

/** Who invites to what: a member to the company, one of the staff to the seller, or the seller itself. */
function invites({ seller, inviter, company }: MailFacts): string {
  if (inviter === '') return `${seller} lädt Sie ein`;
  return `${inviter} lädt Sie zu ${company || seller} ein`;
}

function invitesInRole({ seller, inviter, company, role }: MailFacts): string {
  if (inviter === '') return `${seller} lädt Sie in der Rolle ${role} ein.`;
  const place = company === '' ? seller : `${company} bei ${seller}`;
  return `${inviter} lädt Sie in der Rolle ${role} zu ${place} ein.`;
}
