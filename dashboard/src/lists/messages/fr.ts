import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  search: 'Recherche',
  all: 'Tous',
  filters: 'Filtres',
  clear: 'Effacer les filtres',
  total: '{total, plural, one {# résultat} other {# résultats}}',
  page: 'Page {page} sur {pages}',
  next: 'Page suivante',
  previous: 'Page précédente',
  columns: 'Colonnes',
  csv: 'Exporter en CSV',
  exporting: 'Export en cours',
  failed: 'La liste n’a pas pu être chargée',
  wrongFilter: 'L’adresse contient un filtre que Paydesk ne connaît pas',
  noMatch: 'Rien ne correspond à ces filtres',
  noMatchHint: 'Modifiez ou effacez les filtres pour en voir plus.',
  requestId: 'Numéro de la requête',
  retry: 'Réessayer',
};
