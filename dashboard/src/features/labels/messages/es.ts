import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Etiquetas',
  description: 'Las etiquetas marcan agentes, tickets y clientes.',
  create: 'Crear etiqueta',
  edit: 'Editar etiqueta',
  save: 'Guardar',
  delete: 'Eliminar etiqueta',
  deleteText: 'Se quita de todo lo que la lleva.',
  typeName: 'Escriba el nombre de la etiqueta',
  about: 'Descripción',
  color: 'Color',
  swatches: 'Colores para elegir',
  contrast: 'Contraste {ratio}:1',
  preview: 'Vista previa',
  uses: 'Usada en',
  mayNot: 'Su rol no puede cambiar las etiquetas.',
  colors: {
    red: 'Rojo',
    orange: 'Naranja',
    green: 'Verde',
    blue: 'Azul',
    violet: 'Violeta',
    grey: 'Gris',
  },
  deleteChosen: 'Eliminar las etiquetas',
  deleteMany: 'Eliminar {count, plural, one {# etiqueta} other {# etiquetas}}',
  deleteManyText: 'Se quitan de todo lo que las lleva, y no se pueden recuperar.',
  empty: {
    title: 'Aún no hay etiquetas',
    text: 'Cree la primera etiqueta para marcar tickets con ella.',
  },
};
