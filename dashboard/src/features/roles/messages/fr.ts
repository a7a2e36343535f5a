import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rôles',
  description:
    'Un rôle définit ce qu’un membre de votre entreprise peut faire. Les rôles système sont les mêmes dans chaque entreprise.',
  create: 'Créer un rôle',
  created: 'Le rôle est créé',
  edit: 'Modifier le rôle',
  saved: 'Le rôle est enregistré',
  show: 'Afficher le rôle',
  delete: 'Supprimer le rôle',
  deleteText: 'Personne ne doit l’avoir : aucun membre, aucune invitation en cours et aucun fournisseur de connexion.',
  typeName: 'Saisissez le nom du rôle',
  about: 'Description',
  kind: 'Type',
  kinds: { system: 'Système', own: 'Propre' },
  permissions: 'Autorisations',
  everything: 'Tout',
  nothing: 'Rien',
  flags: { view: 'Consulter', all: 'Modifier' },
  summary: { view: 'Consulter : {entries}', all: 'Modifier : {entries}' },
  parts: { platform: 'Entreprise', application: 'Application' },
  entries: {
    platform: {
      billing: 'Facturation',
      admins: 'Équipe et paramètres',
      roles: 'Rôles',
      applications: 'Clés API et webhooks (ceux-ci reçoivent tous les événements)',
    },
    application: {
      tickets: 'Tickets',
      customers: 'Clients',
      agents: 'Agents',
      live_map: 'Carte en direct',
      labels: 'Libellés',
      settings: 'Paramètres de l’application',
    },
  },
  system: {
    Admin: 'Gère tout dans l’entreprise.',
    'Billing manager': 'Gère les factures, les moyens de paiement et les informations de facturation.',
    'Support agent': 'Gère les tickets, les clients, la carte en direct et les libellés.',
    Viewer: 'Consulte tout dans l’entreprise et ne modifie rien.',
    Customer: 'Utilise l’application mobile et ne gère rien.',
  },
  lacksSome: 'Vous ne pouvez donner que les autorisations que vous avez vous-même.',
  mayNot: 'Votre rôle ne permet pas de modifier les rôles.',
  beyond: 'Ce rôle a plus d’autorisations que le vôtre : vous ne pouvez pas le modifier.',
  actions: 'Actions',
  empty: { title: 'Aucun rôle pour l’instant', text: 'Créez votre premier rôle.' },
};
