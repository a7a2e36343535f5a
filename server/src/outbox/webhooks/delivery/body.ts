import type { TSchema } from 'typebox';
import { companyIdsOrNull } from '../../../platform/http/company-ids/company-id.ts';
import type { ExternalIds } from '../../../platform/http/company-ids/external-ids.ts';
import { placesOfCompanies, showExternalIds } from '../../../platform/http/company-ids/show.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import type { ClaimedDelivery } from './delivery.worker.queries.ts';

/** Writes the bodies of deliveries, in their order; null where the event no longer exists. */
export type WriteBodies = (deliveries: readonly ClaimedDelivery[]) => Promise<(string | null)[]>;

/**
 * The body of an event is identical in every attempt, but for the external ids of its companies, which are as they are now.
 * @param eventData - what the events of all features hold
 */
export function bodyWriter(externalIds: Pick<ExternalIds, 'of'>, eventData: readonly TSchema[]): WriteBodies {
  const body = Type.Object({
    ...companyIdsOrNull('The company that the event is about.'),
    data: Type.Unsafe({ type: 'object', 'x-like': eventData }),
  });
  const places = placesOfCompanies(body);
  return async (deliveries) => {
    const bodies = deliveries.map(writeBody);
    const written = bodies.filter((body) => body !== null);
    const shown = (places === null ? written : await showExternalIds(externalIds, places, written)).values();
    return bodies.map((body) => (body === null ? null : (shown.next().value ?? body)));
  };
}

function writeBody({ eventId, type, happenedAt, about, data }: ClaimedDelivery): string | null {
  if (type === null || happenedAt === null) return null;
  const head = JSON.stringify({ id: eventId, type, timestamp: happenedAt, companyId: about });
  return `${head.slice(0, -1)},"data":${data}}`;
}
