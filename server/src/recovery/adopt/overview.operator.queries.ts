import { isSettled, lacksJournal } from '../../continuity/hold/charges-hold.service.ts';
import type { Part, Queryable, Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { OPEN_INVOICES } from '../hold/lost-journal.worker.queries.ts';
import { invoiceOfCase, stateOfCase } from '../marks/cases.parts.queries.ts';
import type { RecoveryCase } from '../marks/cases.ts';

export type CaseState = RecoveryCase['state'];

/** A case with what its document or its object says. Amounts are texts of major or of minor units; null where it says nothing. */
export type CaseRow = Pick<
  RecoveryCase,
  'id' | 'source' | 'kind' | 'companyId' | 'gateway' | 'happenedAt' | 'state' | 'note'
> & {
  /** Whether its company is here, or is made again. */
  hasCompany: boolean;
  invoiceId: string | null;
  number: string | null;
  gatewayObjectId: string | null;
  total: string | null;
  minor: string | null;
  currency: string | null;
  /** Of an object at a gateway. */
  status: string | null;
  acknowledgedAt: Date | null;
};

/** Reads a page of cases in this state, or in any, in the order in which they happened, and counts them all. */
export async function selectCases(
  db: Queryable,
  { state, limit, offset }: { state: CaseState | null; limit: number; offset: number },
): Promise<{ total: number; data: CaseRow[] }> {
  const isAsked = state === null ? db`true` : db`${stateOfCase(db)} = ${state}`;
  // Both read the index by time alone; only the cases of the page are read themselves.
  const [[counted], data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM recovery_cases WHERE ${isAsked}`,
    selectCasePage(
      db,
      db`SELECT id FROM recovery_cases WHERE ${isAsked} ORDER BY happened_at, id LIMIT ${limit} OFFSET ${offset}`,
    ),
  ]);
  return { total: counted.total, data };
}

/** Reads these cases, in the order in which they happened. */
function selectCasePage(db: Queryable, ids: Part): Promise<CaseRow[]> {
  // Of a journal's payments and refunds only those are cases that moved credit alone.
  return db<CaseRow[]>`
    SELECT one.id, source, one.kind, one.company_id AS "companyId", gateway, object_id AS "gatewayObjectId",
           company_external_id IS NOT NULL OR coalesce(
             (SELECT true FROM companies WHERE companies.id = one.company_id),
             (SELECT true FROM recovery_cases AS lost WHERE kind = 'company' AND subject = one.company_id LIMIT 1), false
           ) AS "hasCompany",
           invoice_id AS "invoiceId",
           coalesce(CASE WHEN source = 'journal' OR one.kind = 'payment' THEN one.number END, invoices.number, lost.number) AS number,
           given ->> 'total' AS total, coalesce(
             given ->> 'capturedAmountMinor', given ->> 'creditMinor', given ->> 'credit_minor',
             CASE WHEN source = 'gateway' THEN given ->> 'amountMinor' ELSE given ->> 'amount_minor' END
           ) AS minor,
           coalesce(given ->> 'currency', invoices.currency, lost.currency) AS currency, given ->> 'status' AS status,
           happened_at AS "happenedAt", ended_state AS state, note, acknowledged_at AS "acknowledgedAt"
    FROM (${ids}) AS page
    -- Row by row, since a plan for pages of any length would read the other tables as a whole.
    CROSS JOIN LATERAL (
      SELECT *, content::json AS given, ${invoiceOfCase(db)} AS invoice_id, ${stateOfCase(db)} AS ended_state FROM recovery_cases
      WHERE recovery_cases.id = page.id OFFSET 0
    ) AS one
    LEFT JOIN LATERAL (SELECT acknowledged_at FROM alerts WHERE ${isAlertOf(db, db`one`)} OFFSET 0) AS alerts ON true
    LEFT JOIN LATERAL (
      SELECT id, number, currency FROM invoices WHERE invoices.company_id = one.company_id AND invoices.id = invoice_id OFFSET 0
    ) AS invoices ON true
    LEFT JOIN LATERAL (
      -- What the journal says about an invoice that is lost too: a credit note is in its currency, a void has its number.
      SELECT cases.number, cases.content::json ->> 'currency' AS currency FROM recovery_cases AS cases
      WHERE cases.company_id = one.company_id AND cases.subject = invoice_id AND cases.kind = 'invoice' AND cases.content IS NOT NULL
      LIMIT 1
    ) AS lost ON invoices.id IS NULL
    ORDER BY happened_at, one.id`;
}

/** The alert of a case is of the case's company, or of none if that company is not here. */
function isAlertOf(db: Queryable, cases: Part): Part {
  return db`${cases}.state = 'person' AND alerts.company_id IN (${cases}.company_id, ${OPERATOR_SCOPE}) AND alerts.id = ${cases}.alert`;
}

/** How many cases there are in each state, without `open_invoices`; of those for a person, how many nobody has acknowledged. */
export async function countCases(db: Queryable): Promise<Record<CaseState, number>> {
  const [row] = await db<[Record<CaseState, number>]>`
    SELECT count(*) FILTER (WHERE state = 'open')::int AS open,
           count(*) FILTER (WHERE state = 'person' AND acknowledged_at IS NULL)::int AS person,
           count(*) FILTER (WHERE state = 'done')::int AS done
    FROM (SELECT ${stateOfCase(db)} AS state, company_id, alert FROM recovery_cases WHERE kind <> ${OPEN_INVOICES}) AS cases
    LEFT JOIN alerts ON ${isAlertOf(db, db`cases`)}`;
  return row;
}

export type JournalRow = {
  id: string;
  host: string;
  directory: string;
  isKept: boolean;
  seenAt: Date;
  readAt: Date | null;
  lacks: string | null;
  lostAt: Date | null;
  missing: boolean;
};

/** What the overview shows of a journal. A process that lives was seen within seconds. */
function journalOverview(db: Queryable): Part {
  return db`
    journals.id, host, directory, journals.seen_at AS "seenAt", read_at AS "readAt", lost_at AS "lostAt",
    EXISTS (SELECT FROM processes WHERE journal_id = journals.id AND processes.seen_at > now() - interval '5 seconds') AS "isKept",
    (SELECT unjournaled FROM charges_holds WHERE ended_at IS NULL AND lost_at IS NULL AND ${lacksJournal(db)}) AS lacks,
    EXISTS (
      SELECT FROM charges_holds WHERE ended_at IS NULL AND (NOT ${isSettled(db, db`charges_holds.id`)} OR ${lacksJournal(db)})
    ) AND lost_at IS NULL AS missing`;
}

/** Lists the journals of the database, the one that was seen last first. */
export async function selectJournalOverview(db: Queryable): Promise<JournalRow[]> {
  return db<JournalRow[]>`SELECT ${journalOverview(db)} FROM journals ORDER BY seen_at DESC, id`;
}

/** Says that the journal will not come back, in the open hold if there is one. Null when there is none with this id. */
export async function markJournalLost(tx: Tx, id: string): Promise<JournalRow | null> {
  const [row] = await tx<JournalRow[]>`
    UPDATE journals SET
      lost_at = coalesce(lost_at, now()), lost_in = coalesce((SELECT id FROM charges_holds WHERE ended_at IS NULL), lost_in)
    WHERE id = ${id} RETURNING ${journalOverview(tx)}`;
  return row ?? null;
}

/** Makes a journal known of which a person has sent some lines: the database may have gone back to before it was kept. */
export async function insertSentJournal(db: Queryable, id: string): Promise<void> {
  await db`INSERT INTO journals (id, host, directory) VALUES (${id}, 'unknown', 'a copy that was sent') ON CONFLICT (id) DO NOTHING`;
}
