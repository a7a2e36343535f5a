import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  noAnswer:
    'Der Dienst hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es noch einmal: nichts geschieht doppelt.',
  tooMany: 'Zu viele Versuche. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.',
  ours: 'Bei uns ist etwas schiefgegangen, und nichts ging verloren. Versuchen Sie es gleich noch einmal.',
  required: 'Füllen Sie dieses Feld aus.',
  save: 'Speichern',
  saved: 'Gespeichert',
  cancel: 'Abbrechen',
  close: 'Schließen',
  readOnly: 'Ihre Rolle darf das lesen, aber nicht ändern.',
  unsaved: 'Einige Änderungen sind nicht gespeichert. Seite trotzdem verlassen?',
  password: 'Passwort',
  noPassword: 'Lassen Sie es leer, wenn Sie kein Passwort haben und sich über Single Sign-on anmelden.',
  noPasskey: 'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  show: 'Zeichen zeigen',
  hide: 'Zeichen verbergen',
  passwordRules: 'Mehr als 8 Zeichen, mit Groß- und Kleinbuchstaben, einer Ziffer und einem Sonderzeichen.',
  passwordRefused: 'Dieses Passwort geht nicht. {rules} Häufige und bekannt gewordene Passwörter werden abgelehnt.',
  lacksRole: { finance: 'Das dürfen nur Finanz- und Admin-Rollen.', admin: 'Das dürfen nur Admins.' },
  codes: {
    unauthenticated: 'Ihre Sitzung ist beendet. Laden Sie die Seite neu, um sich anzumelden.',
    session_revoked: 'Ihre Sitzung ist beendet. Laden Sie die Seite neu, um sich anzumelden.',
    invalid_token: 'Dieser Link wurde benutzt, ist abgelaufen oder durch einen neueren ersetzt.',
    invalid_passkey: 'Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal.',
    invalid_credentials: 'Das Passwort ist falsch.',
    reauthentication_required:
      'Ihre Anmeldung liegt mehr als zehn Minuten zurück. Melden Sie sich ab und wieder an, und wiederholen Sie es dann.',
    invalid_code: 'Der Code ist falsch, schon benutzt oder abgelaufen.',
    second_factor_required:
      'Hier ist ein zweiter Faktor nötig, deshalb lässt sich der letzte nicht entfernen. Richten Sie zuerst einen anderen ein.',
    sso_required: 'Ihre Firma meldet sich nur über Single Sign-on an.',
    wrong_account: 'Die Einladung gilt einer anderen E-Mail-Adresse als der Ihres Kontos.',
    email_taken: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse.',
    has_company: 'Ihr Konto gehört schon zu einer Firma.',
    last_admin: 'Außer Ihnen verwaltet niemand Ihre Firma. Machen Sie zuerst ein anderes Mitglied zum Administrator.',
    totp_enabled: 'Die Authenticator-App ist schon eingerichtet.',
    passkey_exists: 'Dieser Passkey ist schon registriert.',
    last_link: 'Das ist Ihr einziger Weg, sich anzumelden. Legen Sie zuerst ein Passwort fest.',
    role_in_use:
      'Mitglieder oder offene Einladungen haben diese Rolle, oder ein Anmeldedienst gibt sie neuen Mitgliedern. Geben Sie ihnen zuerst eine andere.',
    permission_not_held: 'Sie können nur Berechtigungen vergeben oder ändern, die Sie selbst haben.',
    origin_not_allowed: 'Öffnen Sie diese Seite unter der eigenen Adresse des Dienstes, über HTTPS.',
  },
};
