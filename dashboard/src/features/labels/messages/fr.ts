import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Libellés',
  description: 'Les libellés marquent les agents, les tickets et les clients.',
  create: 'Créer un libellé',
  edit: 'Modifier le libellé',
  save: 'Enregistrer',
  delete: 'Supprimer le libellé',
  deleteText: 'Il est retiré de tout ce qui le porte.',
  typeName: 'Saisissez le nom du libellé',
  about: 'Description',
  color: 'Couleur',
  swatches: 'Couleurs au choix',
  contrast: 'Contraste {ratio}:1',
  preview: 'Aperçu',
  uses: 'Utilisé sur',
  mayNot: 'Votre rôle ne peut pas modifier les libellés.',
  colors: {
    red: 'Rouge',
    orange: 'Orange',
    green: 'Vert',
    blue: 'Bleu',
    violet: 'Violet',
    grey: 'Gris',
  },
  deleteChosen: 'Supprimer les étiquettes',
  deleteMany: 'Supprimer {count, plural, one {# étiquette} other {# étiquettes}}',
  deleteManyText: 'Elles sont retirées de tout ce qui les porte, et ne peuvent pas être rétablies.',
  empty: {
    title: 'Aucun libellé',
    text: 'Créez le premier libellé pour en marquer des tickets.',
  },
};
