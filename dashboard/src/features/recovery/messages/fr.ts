import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Restauration',
  description: 'Ce qu’une sauvegarde restaurée laisse à faire. Les encaissements attendent que les comptes concordent.',
  calm: 'Rien à restaurer',
  calmText: 'La base est là où les passerelles et les journaux la situent.',
  held: 'Les encaissements sont suspendus',
  since: 'Depuis',
  until: 'Au moins jusqu’à',
  lastPass: 'Dernière comparaison',
  steps: 'Ce qu’il faut faire',
  stepAdopt: 'Réunir la base avec les passerelles et les journaux :',
  stepCases: 'Décider de ce qui figure ci-dessous. La suspension finit d’elle-même quand rien n’est ouvert.',
  journals: 'Journaux',
  journal: 'Journal',
  seen: 'Vu',
  missing: 'Manque',
  complete: 'Complet',
  cases: 'Cas',
  what: 'Quoi',
  plan: 'Ce que fera la réunion',
  states: {
    open: 'Ouvert',
    person: 'Pour une personne',
    done: 'Fait',
  },
  empty: {
    title: 'Aucun cas',
    text: 'Un cas apparaît ici quand il manque quelque chose à une base restaurée.',
  },
};
