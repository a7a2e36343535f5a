import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Confirmer auprès de votre banque',
  sandbox:
    'Le bac à sable tient lieu de banque : avec une vraie passerelle, la page ou l’application de la banque vous demande ici si c’est bien vous.',
  confirm: 'Confirmer',
  refuse: 'Refuser',
};
