import { validate as isUuid, MAX, v7 as uuidv7 } from 'uuid';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { writeObject } from './cases.ts';
import type { MissingObject } from './compare.ts';

/** Keeps what a gateway has. What is open already gets the object as it is now. */
export async function keepObjects(db: Queryable, holdId: string, objects: readonly MissingObject[]): Promise<void> {
  const cases = objects.map(({ gateway, companyId, reference, object }) => ({
    ...{ companyExternalId: object.kind === 'payment' ? object.details.companyExternalId : undefined },
    ...{ id: uuidv7(), gateway, companyId, mark: reference, kind: object.kind, objectId: object.id },
    ...{ createdAt: object.createdAt, content: writeObject(object) },
  }));
  await db`
    INSERT INTO recovery_cases (company_id, company_external_id, id, hold_id, source, kind, mark, gateway, object_id, happened_at, content)
    SELECT "companyId", "companyExternalId", id, ${holdId}, 'gateway', kind, mark, gateway, "objectId",
           coalesce((SELECT min(happened_at) FROM missing_marks WHERE missing_marks.mark = given.mark), "createdAt"), content
    FROM json_to_recordset(${JSON.stringify(cases)}::text::json) AS given (
      id uuid, gateway text, "companyId" uuid, "companyExternalId" text, mark uuid, kind text, "objectId" text, "createdAt" timestamptz,
      content text
    )
    ON CONFLICT (gateway, object_id, kind, hold_id) WHERE source = 'gateway'
    DO UPDATE SET content = excluded.content, happened_at = excluded.happened_at WHERE recovery_cases.state = 'open'`;
}

/**
 * Keeps marks of journals, each once, those of refunds with their credit notes; and those that are cases. What several journals have counts
 * from the first of them. A note of another process may lack the request and the document. The gateways are compared from before all of it.
 */
export async function keepEntries(
  db: Queryable,
  holdId: string,
  { entries, isCase }: { entries: readonly JournalEntry[]; isCase: (entry: JournalEntry) => boolean },
): Promise<void> {
  const given = entries.map((entry) => ({
    ...{ ...entry, id: uuidv7(), isCase: isCase(entry) },
    document: entry.document === 'null' ? null : entry.document,
    creditNoteId: entry.kind === 'refund' ? readCreditNoteId(entry.document) : null,
  }));
  const from = db`
    FROM json_to_recordset(${JSON.stringify(given)}::text::json) AS given ("companyId" uuid, "companyExternalId" text, id uuid, mark uuid,
      kind text, subject uuid, at timestamptz, document text, request json, "creditNoteId" uuid, "isCase" boolean)`;
  await db`
    INSERT INTO missing_marks (company_id, mark, kind, subject, happened_at, credit_note_id)
    SELECT "companyId", mark, kind, subject, at, "creditNoteId" ${from}
    ON CONFLICT (company_id, mark) DO UPDATE SET
      happened_at = least(missing_marks.happened_at, excluded.happened_at),
      credit_note_id = coalesce(missing_marks.credit_note_id, excluded.credit_note_id)`;
  await db`
    INSERT INTO recovery_cases (company_id, company_external_id, id, hold_id, source, kind, mark, subject, happened_at, content, request)
    SELECT "companyId", "companyExternalId", id, ${holdId}, 'journal', kind, mark, subject, at, document, request ${from} WHERE "isCase"
    ON CONFLICT (company_id, mark, kind, hold_id) WHERE source = 'journal'
    DO UPDATE SET
      request = coalesce(recovery_cases.request, excluded.request),
      content = coalesce(recovery_cases.content, excluded.content),
      happened_at = least(recovery_cases.happened_at, excluded.happened_at)
    WHERE recovery_cases.state = 'open'`;
}

/** Null also where a document says it in a way that none has, as after a fault of the disk. */
function readCreditNoteId(document: string): string | null {
  const { credit_note_id: id } = (JSON.parse(document) ?? {}) as { credit_note_id?: unknown };
  return typeof id === 'string' && isUuid(id) ? id : null;
}

/**
 * Ends those of the next open cases of what the database has meanwhile. The mark of a payment says nothing about its objects at the
 * gateway, since another one of them may have been dealt with; nor does a payment that has ended without the object.
 * @param after - the last case that was looked at; the nil UUID at first
 * @returns the last of these, or null when there were fewer than `limit`
 */
export async function endPresentCases(
  db: Queryable,
  holdId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const [row] = await db<{ last: string }[]>`
    WITH one AS MATERIALIZED (
      SELECT id FROM recovery_cases WHERE hold_id = ${holdId} AND state = 'open' AND id > ${after} ORDER BY id OFFSET ${limit - 1} LIMIT 1
    ), ended AS (
      UPDATE recovery_cases SET state = 'done', note = 'present meanwhile', content = NULL, decided_at = now()
      -- No join: while the table grows, its plan would be one for a few rows.
      WHERE hold_id = ${holdId} AND state = 'open' AND id > ${after} AND id <= coalesce((SELECT id FROM one), ${MAX}) AND (
        (source = 'journal' OR kind = 'refund') AND EXISTS (
          SELECT FROM marks WHERE marks.company_id = recovery_cases.company_id AND marks.mark = recovery_cases.mark)
        OR source = 'gateway' AND kind = 'payment' AND (
          EXISTS (SELECT FROM payments WHERE payments.gateway = recovery_cases.gateway AND gateway_payment_id = object_id)
          OR EXISTS (SELECT FROM payments WHERE payments.id = recovery_cases.mark AND payments.state NOT IN ('captured', 'failed')))
        OR source = 'gateway' AND kind = 'refund' AND EXISTS (
          SELECT FROM refunds WHERE refunds.gateway = recovery_cases.gateway AND gateway_refund_id = object_id))
    )
    SELECT id AS last FROM one`;
  return row?.last ?? null;
}

/** How many cases nobody has dealt with. */
export async function countOpenCases(db: Queryable, holdId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM recovery_cases WHERE hold_id = ${holdId} AND state = 'open'`;
  return row.count;
}

/** Lets a hold compare the gateways from this instant on, if it does not from an earlier one already. */
export async function lowerComparedFrom(db: Queryable, holdId: string, from: Date): Promise<void> {
  await db`UPDATE charges_holds SET compared_from = least(compared_from, ${from}) WHERE id = ${holdId}`;
}

/**
 * Notes in the hold the first open case of a gateway's object whose mark neither the database nor a journal has, or that there is none.
 * Journals keep marks for 40 days, what was made before the database had any has none, and a payment that names no installation may be
 * another one's. A payment or refund that is here had its mark here.
 * @returns what is noted for the first time; null otherwise
 */
export async function settleUnjournaled(db: Queryable, holdId: string): Promise<string | null> {
  const [row] = await db<{ unjournaled: string }[]>`
    WITH hold AS (SELECT id, unjournaled FROM charges_holds WHERE id = ${holdId} AND ended_at IS NULL FOR UPDATE)
    UPDATE charges_holds SET unjournaled = (
      SELECT kind || ' ' || object_id || ' of the gateway ' || gateway FROM recovery_cases AS object
      WHERE hold_id = ${holdId} AND state = 'open' AND source = 'gateway' AND mark IS NOT NULL
        AND (kind = 'refund' OR content::json -> 'details' ->> 'installation' IS NOT NULL)
        AND happened_at > now() - interval '38 days'
        AND happened_at > (SELECT min(written_at) FROM marks) - interval '1 minute'
        AND NOT EXISTS (SELECT FROM missing_marks WHERE missing_marks.mark = object.mark)
        AND NOT EXISTS (SELECT FROM marks WHERE marks.company_id IN (object.company_id, ${OPERATOR_SCOPE}) AND marks.mark = object.mark)
        AND NOT EXISTS (SELECT FROM payments WHERE payments.id = object.mark)
        AND NOT EXISTS (SELECT FROM refunds WHERE refunds.id = object.mark)
      ORDER BY happened_at LIMIT 1
    )
    FROM hold WHERE charges_holds.id = hold.id
      -- What was given up stays noted.
      AND NOT EXISTS (SELECT FROM journals WHERE lost_in = hold.id)
    RETURNING CASE WHEN hold.unjournaled IS NULL THEN charges_holds.unjournaled END AS unjournaled`;
  return row?.unjournaled ?? null;
}
