import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  firstName: 'Vorname',
  lastName: 'Nachname',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  save: 'Speichern',
  logIn: 'Anmelden',
  goOn: 'Weiter',
  hasAccount: 'Sie haben schon ein Konto?',
  backToLogin: 'Zurück zur Anmeldung',
  incomplete: 'Der Link ist unvollständig oder wurde schon geöffnet. Öffnen Sie ihn noch einmal aus der E-Mail.',
  noInvitation: 'Diese Einladung wurde angenommen, zurückgezogen oder ist abgelaufen. Bitten Sie um eine neue.',
  signup: {
    title: 'Konto anlegen',
    description: 'Für Ihre Firma. Ihre Kolleginnen und Kollegen laden Sie danach ein.',
    submit: 'Konto anlegen',
  },
  forgot: {
    title: 'Passwort zurücksetzen',
    description: 'Wir senden einen Link an Ihre E-Mail-Adresse. Er gilt einmal, eine Stunde lang.',
    submit: 'Link senden',
    sent: 'Wenn {email} ein Konto hat, ist eine E-Mail mit einem Link unterwegs. Sehen Sie auch im Spamordner nach.',
  },
  reset: {
    title: 'Neues Passwort festlegen',
    done: 'Ihr Passwort ist geändert, und alle Sitzungen sind beendet. Melden Sie sich mit dem neuen Passwort an.',
    again: 'Neuen Link senden',
  },
  verify: {
    title: 'E-Mail bestätigt',
    done: 'Ihre E-Mail-Adresse ist bestätigt.',
    pending: 'E-Mail wird bestätigt',
    failed: 'Die E-Mail konnte nicht bestätigt werden',
    again: 'Auf der Seite Ihr Profil können Sie die Nachricht noch einmal senden lassen.',
  },
  revert: {
    title: 'E-Mail wiederhergestellt',
    done: 'Ihre frühere E-Mail-Adresse gilt wieder, und alle Sitzungen sind beendet. Legen Sie jetzt ein neues Passwort fest: jemand kennt vielleicht das jetzige.',
    pending: 'E-Mail wird wiederhergestellt',
    failed: 'Die E-Mail konnte nicht wiederhergestellt werden',
    reset: 'Passwort zurücksetzen',
  },
  invitation: {
    join: '{company} beitreten',
    joinNameless: 'Der Firma von {inviter} beitreten',
    joinStaff: 'Dem Team des Betreibers beitreten',
    description: '{inviter} lädt {email} in der Rolle {role} ein.',
    staffDescription:
      '{inviter} lädt {email} zu den Leuten ein, die diesen Dienst betreiben. Als Nächstes richten Sie einen zweiten Faktor ein.',
    submit: 'Annehmen',
    pending: 'Einladung wird gelesen',
    failed: 'Die Einladung kann nicht geöffnet werden',
    otherAccount: 'Sie sind als {email} angemeldet, und die Einladung gilt einer anderen Adresse.',
    logOut: 'Abmelden',
    emailTaken: 'Sie haben schon ein Konto. Melden Sie sich damit an, und nehmen Sie dann an.',
    notHeld: 'Wer Sie eingeladen hat, darf diese Rolle nicht mehr vergeben. Bitten Sie um eine neue Einladung.',
  },
  session: {
    other: 'Eine andere Sitzung öffnen?',
    otherText:
      'Sie sind als {email} angemeldet. Der Link öffnet die Seiten eines Kunden, vielleicht eines anderen Unternehmens. Fahren Sie nur fort, wenn Sie gerade aus einem Produkt kommen, das Sie kennen.',
    continue: 'Als Kunde fortfahren',
    stay: 'Angemeldet bleiben',
    pending: 'Ihre Abrechnungsseiten werden geöffnet',
    failed: 'Der Link kann nicht geöffnet werden',
    invalid: 'Der Link wurde schon benutzt oder ist abgelaufen.',
    again: 'Gehen Sie dorthin zurück, woher Sie kamen, und öffnen Sie die Abrechnungsseiten noch einmal.',
  },
};
