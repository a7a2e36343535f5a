import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Precios',
  description: 'Lo que cuesta una cantidad, por ruta y moneda. Una versión nueva rige desde su momento.',
  create: 'Crear precio',
  created: 'Precio creado',
  from: 'Vigente desde',
  model: 'Modelo',
  models: {
    flat: 'Por solicitud',
    package: 'Por paquete',
    graduated: 'Escalonado',
    volume: 'Por volumen',
  },
  price: 'Precio',
  perPackage: '{amount} por {size}',
  tiers: '{count, plural, one {# tramo} other {# tramos}}',
  everybody: 'Todos',
  free: 'Solicitudes gratuitas',
  unitAmount: 'Importe por solicitud',
  packageAmount: 'Importe por paquete',
  packageSize: 'Solicitudes por paquete',
  calculator: '¿Cuánto costaría esto?',
  calculatorText: 'El precio vigente, sin crédito ni impuestos.',
  calculate: 'Calcular',
  costs: '{quantity} solicitudes cuestan {amount}',
  noneOfCompany: {
    title: 'Sin precios propios',
    text: 'A esta empresa se le aplican los precios generales. Cree uno para ella en la página de precios.',
  },
  empty: {
    title: 'Aún no hay precios',
    text: 'Cree el primer precio para poder facturar el uso.',
  },
};
