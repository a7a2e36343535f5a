import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Ajustes de la empresa',
  company: 'Empresa',
  companyText: 'Cómo se llama aquí la empresa. En las facturas figuran los datos de facturación.',
  name: 'Nombre',
  email: 'Correo',
  phone: 'Teléfono',
  address: 'Dirección',
  describe: 'Descripción',
  signIn: 'Acceso',
  signInText: 'Lo que vale para todos los miembros.',
  secondFactor: 'Exigir un segundo factor',
  secondFactorText: 'Los miembros sin él no pueden hacer nada hasta configurarlo.',
  saved: 'Los ajustes están guardados',
  readOnly: 'Solo quienes gestionan el equipo pueden cambiar esto.',
};
