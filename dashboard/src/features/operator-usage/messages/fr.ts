import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Usage',
  description: 'Ce qu’une entreprise a utilisé, par chemin et période.',
  granularity: 'Par',
  company: 'Identifiant ou external:identifiant',
  choose: 'Choisissez une entreprise',
  chooseText: 'Ouvrez l’usage depuis la page d’une entreprise, ou saisissez son identifiant.',
  start: 'Début',
  empty: {
    title: 'Aucun usage',
    text: 'Le produit n’a encore rien signalé pour cette entreprise.',
  },
};
