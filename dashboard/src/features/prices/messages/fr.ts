import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Prix',
  description: 'Ce que coûte une quantité, par chemin et devise. Une nouvelle version prend effet à son instant.',
  create: 'Créer un prix',
  created: 'Prix créé',
  from: 'En vigueur dès',
  model: 'Modèle',
  models: {
    flat: 'Par requête',
    package: 'Par lot',
    graduated: 'Dégressif',
    volume: 'Par volume',
  },
  price: 'Prix',
  perPackage: '{amount} par {size}',
  tiers: '{count, plural, one {# palier} other {# paliers}}',
  everybody: 'Tous',
  free: 'Requêtes gratuites',
  unitAmount: 'Montant par requête',
  packageAmount: 'Montant par lot',
  packageSize: 'Requêtes par lot',
  calculator: 'Combien cela coûterait-il ?',
  calculatorText: 'Le prix en vigueur, hors avoir et taxe.',
  calculate: 'Calculer',
  costs: '{quantity} requêtes coûtent {amount}',
  noneOfCompany: {
    title: 'Aucun prix propre',
    text: 'Les prix généraux s’appliquent à cette entreprise. Créez-en un pour elle sur la page des prix.',
  },
  empty: {
    title: 'Aucun prix pour l’instant',
    text: 'Créez le premier prix, afin que l’usage puisse être facturé.',
  },
};
