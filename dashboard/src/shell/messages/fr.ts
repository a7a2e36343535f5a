import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  skip: 'Aller au contenu',
  console: 'Console Paydesk',
  menu: 'Menu',
  navigation: 'Pages',
  sandbox: 'Bac à sable : aucun argent réel ne circule.',
  viewing: 'Vous voyez {company} comme ses membres, sans pouvoir rien modifier.',
  leaveView: 'Quitter',
  logOut: 'Se déconnecter',
  requestId: 'Numéro de la requête',
  retry: 'Réessayer',
  theme: { light: 'Thème clair', dark: 'Thème sombre', system: 'Thème de l’appareil' },
  groups: {
    money: 'Argent',
    company: 'Entreprise',
    developers: 'Développement',
    account: 'Compte',
    operations: 'Exploitation',
  },
  pages: {
    home: 'Accueil',
    invoices: 'Factures',
  },
  error: {
    title: 'Une erreur est survenue',
    heading: 'Cette page n’a pas pu être affichée',
    message:
      'Une erreur de la page l’a arrêtée. Rechargez-la ; si cela se reproduit, prévenez l’exploitant de ce service.',
  },
  notFound: {
    title: 'Page introuvable',
    heading: 'Il n’y a rien à cette adresse',
    message: 'L’élément a peut-être été supprimé, ou l’adresse est incomplète.',
    home: 'Aller à l’accueil',
  },
  palette: {
    open: 'Chercher ou aller à',
    placeholder: 'Chercher des pages et des actions',
    empty: 'Rien ne porte ce nom.',
  },
  keyboard: {
    title: 'Clavier',
    search: 'Chercher dans la liste',
    palette: 'Ouvrir la palette de commandes',
    help: 'Afficher cette aide',
    rows: 'Passer d’une ligne à l’autre',
    open: 'Ouvrir la ligne',
  },
};
