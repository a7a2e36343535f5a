import type { MailSummary } from '@paydesk/client';
import type { Tone } from '../../ui/badge/badge.tsx';

export const TONES: Record<MailSummary['status'], Tone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  kept: 'neutral',
};
