import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Conciliación',
  description:
    'El libro mayor junto a las cuentas de la pasarela. Cada diferencia es dinero que una de las dos no conoce.',
  compared: '{count, plural, one {# asiento comparado} other {# asientos comparados}}',
  agree: 'Ambas cuentas coinciden',
  others:
    '{count, plural, one {# asiento es de otra instalación con la misma cuenta.} other {# asientos son de otras instalaciones con la misma cuenta.}}',
  difference: 'Diferencia',
  here: 'Aquí',
  there: 'En la pasarela',
  record: 'Registro',
  kinds: {
    missing_here: 'Falta aquí',
    missing_there: 'Falta en la pasarela',
    amount: 'Otro importe',
    state: 'Otro estado',
  },
  entries: {
    payment: 'Pago',
    refund: 'Reembolso',
    dispute: 'Disputa',
    fee: 'Comisión',
    payout: 'Pago al banco',
  },
  stopped: 'La comparación se ha detenido',
  comparing: 'Comparando',
  differences: '{count, plural, one {# diferencia} other {# diferencias}}',
};
