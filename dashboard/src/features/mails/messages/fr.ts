import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'E-mails',
  description: 'Ce que le service a envoyé, ou garde faute de serveur de courrier.',
  one: 'E-mail',
  kept: 'Les e-mails gardés ne sont jamais envoyés, car aucun serveur de courrier n’était configuré. Ouvrez-en un pour lire son texte et transmettre son lien. Dès que SMTP_URL est défini, le service envoie les nouveaux e-mails.',
  hidden: 'Le texte n’est pas affiché : son lien donne accès à un compte, ou il a été supprimé après 30 jours.',
  statuses: {
    queued: 'En attente',
    sent: 'Envoyé',
    failed: 'Échoué',
    kept: 'Gardé',
  },
  types: {
    invoice_issued: 'Facture émise',
    receipt: 'Reçu',
    payment_failed: 'Paiement échoué',
    confirmation_needed: 'Confirmation requise',
    card_expires: 'Carte bientôt expirée',
    statement: 'Relevé de compte',
    verify_email: 'Vérifier l’e-mail',
    reset_password: 'Réinitialiser le mot de passe',
    password_changed: 'Mot de passe changé',
    change_email: 'Changement d’e-mail',
    email_changing: 'E-mail en changement',
    email_kept: 'E-mail conservé',
    passkey_added: 'Clé d’accès ajoutée',
    passkey_removed: 'Clé d’accès retirée',
    totp_enabled: 'Application d’authentification activée',
    totp_disabled: 'Application d’authentification désactivée',
    recovery_codes_replaced: 'Nouveaux codes de récupération',
    invitation: 'Invitation',
    charges_held: 'Encaissements suspendus',
  },
  empty: {
    title: 'Aucun e-mail pour l’instant',
    text: 'Le premier part quand quelqu’un s’inscrit.',
  },
};
