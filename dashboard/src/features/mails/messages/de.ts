import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'E-Mails',
  description: 'Was der Dienst gesendet hat, oder behält, weil kein Mailserver eingerichtet ist.',
  one: 'E-Mail',
  kept: 'Behaltene E-Mails werden nie gesendet, weil kein Mailserver eingerichtet war. Öffnen Sie eine, um den Text zu lesen und den Link weiterzugeben. Sobald SMTP_URL gesetzt ist, sendet der Dienst neue E-Mails.',
  hidden: 'Der Text wird nicht gezeigt: Sein Link gibt Zugang zu einem Konto, oder er wurde nach 30 Tagen gelöscht.',
  statuses: {
    queued: 'Wartet',
    sent: 'Gesendet',
    failed: 'Fehlgeschlagen',
    kept: 'Behalten',
  },
  types: {
    invoice_issued: 'Rechnung gestellt',
    receipt: 'Zahlungsbeleg',
    payment_failed: 'Zahlung fehlgeschlagen',
    confirmation_needed: 'Bestätigung nötig',
    card_expires: 'Karte läuft ab',
    statement: 'Kontoauszug',
    verify_email: 'E-Mail bestätigen',
    reset_password: 'Passwort zurücksetzen',
    password_changed: 'Passwort geändert',
    change_email: 'Änderung der E-Mail',
    email_changing: 'E-Mail wird geändert',
    email_kept: 'E-Mail beibehalten',
    passkey_added: 'Passkey hinzugefügt',
    passkey_removed: 'Passkey entfernt',
    totp_enabled: 'Authenticator-App an',
    totp_disabled: 'Authenticator-App aus',
    recovery_codes_replaced: 'Neue Wiederherstellungscodes',
    invitation: 'Einladung',
    charges_held: 'Belastungen angehalten',
  },
  empty: {
    title: 'Noch keine E-Mails',
    text: 'Die erste wird gesendet, wenn sich jemand registriert.',
  },
};
