import type { Translation } from '../../../i18n/text.ts';
import type { messages as en } from './en.ts';

export const messages: Translation<typeof en> = {
  title: 'Tareas',
  description: 'En qué trabaja el servicio en segundo plano, y qué va tarde o falla.',
  kind: 'Clase',
  retry: 'Ejecutar ahora',
  retried: 'La tarea se ejecuta',
  statuses: {
    due: 'Pendiente',
    running: 'En curso',
    late: 'Con retraso',
    failing: 'Fallando',
  },
  kinds: {
    payments: 'Pagos',
    gateway_events: 'Eventos de pasarela',
    refunds: 'Reembolsos',
    usage_attributions: 'Uso anticipado',
    usage_thresholds: 'Umbrales de uso',
    billing_runs: 'Ejecuciones de facturación',
    billing_previews: 'Vistas previas de facturación',
    schedules: 'Programaciones',
    mails: 'Correos',
    webhooks: 'Webhooks',
    collections: 'Cobros',
    source_detachment: 'Tarjetas borradas',
  },
  empty: {
    title: 'Nada espera',
    text: 'Todo el trabajo en segundo plano está hecho.',
  },
};
