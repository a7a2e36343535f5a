/** Checks outgoing events: compares the committed ones with those that a consumer received. */
import type { Db } from '../../src/platform/database/database.ts';

/** What a consumer received after it verified the signature: the `webhook-id` header, and the body with its id and type. */
export type Delivered = { webhookId: string; eventId: string; type: string; body: string };
export type CommittedEvent = { id: string; type: string };

/** Returns the committed events whose type begins with one of these texts. */
export async function readDeliverableEvents(owner: Db, beginnings: readonly string[]): Promise<CommittedEvent[]> {
  const events = await owner<CommittedEvent[]>`SELECT id, type FROM events ORDER BY id`;
  return events.filter(({ type }) => beginnings.some((beginning) => type.startsWith(beginning)));
}

/** I9: each committed event was delivered at least once, always with the same id and body, and nothing else was delivered. */
export function checkDeliveries(events: readonly CommittedEvent[], heard: readonly Delivered[]): string[] {
  const deliveries = Map.groupBy(heard, ({ eventId }) => eventId);
  const known = new Map(events.map(({ id, type }) => [id, type]));
  const missing = events.filter(({ id }) => !deliveries.has(id));
  return [
    ...missing.map(({ id, type }) => `I9 the event ${id} (${type}) was never delivered`),
    ...[...deliveries].flatMap(([id, copies]) => {
      const found: string[] = [];
      if (copies.some(({ webhookId }) => webhookId !== id))
        found.push(`I9 the event ${id} came with another webhook-id`);
      if (new Set(copies.map(({ body }) => body)).size > 1) found.push(`I9 the event ${id} came with two bodies`);
      if (copies.some(({ type }) => type !== known.get(id)))
        found.push(`I9 the event ${id} that came was not committed`);
      return found;
    }),
  ];
}
