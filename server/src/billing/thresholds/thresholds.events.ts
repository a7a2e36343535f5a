import { declareEvents } from '../../outbox/events/events.service.ts';
import { UsageThresholdReached } from './thresholds.schema.ts';

/** The events of usage thresholds. */
export const usageThresholdEvents = declareEvents({
  'usage.threshold_reached': {
    audience: 'company',
    summary:
      'The usage of a billing period has reached a threshold. The event is sent once for each threshold and period.',
    data: UsageThresholdReached,
  },
});
