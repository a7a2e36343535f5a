import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  noAnswer: 'Le service n’a pas répondu. Vérifiez votre connexion et réessayez : rien n’est fait deux fois.',
  tooMany: 'Trop d’essais. Réessayez dans {seconds, plural, one {# seconde} other {# secondes}}.',
  ours: 'Une erreur est survenue de notre côté, et rien n’a été perdu. Réessayez dans un instant.',
  required: 'Remplissez ce champ.',
  save: 'Enregistrer',
  saved: 'Enregistré',
  cancel: 'Annuler',
  close: 'Fermer',
  unsaved: 'Des modifications ne sont pas enregistrées. Quitter cette page sans elles ?',
};
