import { insertAlertUnlessOpen } from '../../../alerts/alerts.service.ts';
import type { Clock } from '../../../platform/calendar/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { countWaiting } from './unattributed.operator.queries.ts';

const DAY_MS = 86_400_000;

/** Raises an alert when usage has waited for a company for more than a day, unless one is open. */
export async function alertOfUnattributed(db: Db, clock: Clock): Promise<void> {
  const { ids, events } = await countWaiting(db, new Date(clock().getTime() - DAY_MS));
  if (ids === 0) return;
  const [idsText, eventsText] = [ids, events].map((count) => count.toLocaleString('en-US'));
  const message =
    `Usage of external ids that no company has waits for more than a day: external ids ${idsText}, events ${eventsText}. ` +
    'Give the companies their external ids, or delete the usage: GET /operator/usage/unattributed lists it.';
  await insertAlertUnlessOpen(db, OPERATOR_SCOPE, { kind: 'unattributed_usage', payment: null, message });
}
