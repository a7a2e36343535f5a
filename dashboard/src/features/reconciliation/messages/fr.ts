import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Rapprochement',
  description:
    'Le grand livre à côté des comptes de la passerelle. Chaque différence est une somme que l’un des deux ignore.',
  compared: '{count, plural, one {# écriture comparée} other {# écritures comparées}}',
  agree: 'Les deux comptes concordent',
  others:
    '{count, plural, one {# écriture vient d’une autre installation du même compte.} other {# écritures viennent d’autres installations du même compte.}}',
  difference: 'Différence',
  here: 'Ici',
  there: 'À la passerelle',
  record: 'Écriture',
  kinds: {
    missing_here: 'Manque ici',
    missing_there: 'Manque à la passerelle',
    amount: 'Autre montant',
    state: 'Autre état',
  },
  entries: {
    payment: 'Paiement',
    refund: 'Remboursement',
    dispute: 'Litige',
    fee: 'Frais',
    payout: 'Versement',
  },
  stopped: 'La comparaison s’est arrêtée',
  comparing: 'Comparaison en cours',
  differences: '{count, plural, one {# différence} other {# différences}}',
};
