import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Datos de facturación',
  description: 'Figuran en las facturas que se emitan desde ahora. Las ya emitidas no cambian.',
  save: 'Guardar',
  saved: 'Datos de facturación guardados',
  notAllowed: 'Su rol solo permite ver los datos de facturación.',
  choose: 'Elegir un país',
  fields: {
    organization: 'Organización',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    address: 'Dirección',
    zipCode: 'Código postal',
    city: 'Ciudad',
    province: 'Provincia o estado',
    country: 'País',
    phoneNumber: 'Teléfono',
    taxId: 'NIF-IVA o número fiscal',
  },
  vat: {
    exempt: 'El número fiscal se reconoce: las facturas van sin impuesto e indican la inversión del sujeto pasivo.',
    none: 'Sin número fiscal, las facturas llevan un {rate} de impuesto.',
    shown: 'El número fiscal figura en las facturas. Llevan un {rate} de impuesto.',
    afterSaving: 'Lo que cambia el número fiscal se sabe al guardar.',
  },
  preview: { title: 'En la factura', empty: 'Aún nada', note: 'Las facturas están en inglés.' },
};
