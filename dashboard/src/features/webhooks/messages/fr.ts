import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Webhooks',
  descriptions: {
    company: 'Un point de terminaison reçoit les événements de votre entreprise, signés.',
    operator: 'Les points de l’exploitant reçoivent les événements de toutes les entreprises, signés.',
  },
  mayNot: 'Votre rôle ne peut pas modifier les points de terminaison.',
  deliveries: 'Livraisons',
  noDeliveries: 'Aucune livraison',
  attempts: '{count, plural, one {# tentative} other {# tentatives}}',
  states: { pending: 'En attente', delivered: 'Livré', failed: 'Échoué' },
  add: 'Ajouter un point',
  url: 'URL',
  about: 'Usage',
  secretTitle: 'Le secret de signature n’est affiché qu’une fois. Copiez-le maintenant.',
  copy: 'Copier le secret',
  copied: 'Copié',
  done: 'Terminé',
  types: 'Événements',
  allTypes: 'Tous les événements',
  statuses: {
    enabled: 'Actif',
    failing: 'En échec',
    disabled: 'Désactivé',
  },
  test: 'Envoyer un test',
  tested: 'L’événement de test est parti',
  disable: 'Désactiver',
  enable: 'Activer',
  changed: 'Le point est modifié',
  actions: 'Actions',
  delete: 'Supprimer le point',
  deleteText: 'Il ne reçoit plus d’événements, et ce qui l’attend est abandonné.',
  typeUrl: 'Saisissez l’URL du point',
  empty: {
    title: 'Aucun point pour l’instant',
    text: 'Ajoutez l’adresse du programme à prévenir des factures et paiements.',
  },
};
