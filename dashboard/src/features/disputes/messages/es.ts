import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Disputas',
  description: 'Pagos que impugna el titular de la tarjeta o de la cuenta. Responda en la pasarela antes de su plazo.',
  statuses: {
    NeedsResponse: 'Requiere respuesta',
    UnderReview: 'En revisión',
    Won: 'Ganada',
    Lost: 'Perdida',
    Closed: 'Cerrada',
  },
  withdrawn: 'Retirado',
  empty: {
    title: 'Ninguna disputa',
    text: 'Una disputa aparece aquí en cuanto la pasarela la comunica.',
  },
};
