import type { Tone } from '../../ui/badge/badge.tsx';

/** How loud the status of a payment or a refund is. */
export const STATUS_TONES: Record<'Processing' | 'Succeeded' | 'Failed' | 'RequiresAction' | 'NeedsReview', Tone> = {
  Processing: 'info',
  Succeeded: 'success',
  Failed: 'danger',
  RequiresAction: 'warning',
  NeedsReview: 'warning',
};
