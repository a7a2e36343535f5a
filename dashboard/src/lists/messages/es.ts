import type { Translation } from '../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  search: 'Búsqueda',
  all: 'Todos',
  filters: 'Filtros',
  clear: 'Borrar filtros',
  total: '{total, plural, one {# resultado} other {# resultados}}',
  page: 'Página {page} de {pages}',
  next: 'Página siguiente',
  previous: 'Página anterior',
  columns: 'Columnas',
  csv: 'Exportar CSV',
  exporting: 'Exportando',
  failed: 'No se ha podido cargar la lista',
  wrongFilter: 'La dirección tiene un filtro que Paydesk no conoce',
  noMatch: 'Nada coincide con estos filtros',
  noMatchHint: 'Cambie o borre los filtros para ver más.',
  requestId: 'Número de la solicitud',
  retry: 'Intentar de nuevo',
};
