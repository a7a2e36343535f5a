import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Pagar la factura {number}',
  pay: 'Pagar {amount}',
  due: 'Importe pendiente',
  with: 'Pagar con',
  default: 'predeterminada',
  expires: 'Caduca {date}',
  expired: 'Caducó {date}',
  becomesDefault: '{name} será también el método predeterminado de las próximas facturas.',
  credit: 'Su saldo paga primero {credit}; se cobran {rest}.',
  addCard: 'Usar otra tarjeta',
  addFirst: 'Aún no hay ninguna tarjeta que cobrar. Añada una y pague con ella.',
  addCharges:
    'Esta factura espera una tarjeta: a la que añada se le cobran {amount} enseguida. Será la predeterminada.',
  addOther: 'Añada una tarjeta y pague con ella. Será la predeterminada.',
  noAccount: 'Esta factura se paga con PayPal y no hay ninguna cuenta guardada. Añada una en Métodos de pago.',
  cancel: 'Cancelar',
  close: 'Cerrar',
  done: 'Listo',
  requestId: 'Identificador de la solicitud: {id}',
  nothingCharged: 'No se ha cobrado nada.',
  notCharged: 'La factura {number} no está pagada',
  notSent: 'No se pudo contactar con el banco y no se ha cobrado nada. Inténtelo de nuevo.',
  needsMethod: 'No hay ninguna tarjeta que cobrar. Añada una o elija una de las guardadas.',
  paid: { title: '{amount} pagados', text: 'La factura {number} está pagada. Gracias.' },
  findingOut: {
    title: 'Averiguando el resultado',
    text:
      'La respuesta sobre {amount} aún no ha llegado. Paydesk sigue preguntando, ' +
      'también con esta página cerrada, y nada se cobra dos veces.',
  },
  confirm: {
    title: 'Confirme con su banco',
    text: 'Su banco le pide que confirme el pago de {amount}. Antes no se cobra nada.',
    until: 'Espera hasta el',
    action: 'Confirmar con su banco',
    question: 'Su banco le pide que confirme el pago de {amount}.',
  },
  debited: {
    title: 'El adeudo de {amount} ha comenzado',
    text: 'Su banco lo ejecuta en unos días. Entonces la factura estará pagada, y esta página lo dirá.',
  },
  review: {
    title: 'En revisión',
    text:
      'La respuesta del banco no corresponde a la factura. El operador de este ' +
      'servicio la revisa; mientras tanto no se cobra nada más.',
  },
  reasons: {
    refused: 'El banco rechazó el cobro sin decir por qué.',
    funds: 'No hay saldo suficiente para este pago.',
    expired: 'La tarjeta ha caducado.',
    lost: 'La tarjeta consta como perdida.',
    stolen: 'La tarjeta consta como robada.',
    processing: 'El banco no pudo procesar el cobro en este momento.',
    details: 'El banco no reconoce el número o el código de la tarjeta.',
    confirm: 'El banco pide que el titular confirme el cobro.',
    limit: 'El cobro supera un límite de la tarjeta.',
    notSupported: 'La tarjeta no admite este tipo de cobro.',
    closed: 'La cuenta está cerrada o restringida.',
    notAllowed: 'El banco no permite este cobro con la tarjeta.',
    notConfirmed: 'El banco no ha recibido su confirmación.',
    confirmedLate: 'Su confirmación no llegó a tiempo.',
    gateway: 'La pasarela de pago no acepta esta tarjeta.',
  },
  next: {
    otherCard: 'Use otra tarjeta.',
    askBank: 'Consulte a su banco o use otra tarjeta.',
    later: 'Inténtelo de nuevo en unos minutos o use otra tarjeta.',
    confirmAgain: 'Pague de nuevo y confirme, o use otra tarjeta.',
    checkCard: 'Use otra tarjeta o guarde la renovada.',
  },
};
