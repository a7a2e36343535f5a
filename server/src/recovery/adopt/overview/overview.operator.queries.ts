import { isSettled, lacksJournal } from '../../../continuity/hold/charges-hold.service.ts';
import type { Part, Queryable } from '../../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { OPEN_INVOICES } from '../../hold/lost-journal.worker.queries.ts';
import { invoiceOfCase, stateOfCase } from '../../marks/cases.parts.queries.ts';

export type CaseState = 'open' | 'done' | 'person';

/** A case with what its document or its object says. Amounts are texts of major or of minor units; null where it says nothing. */
export type CaseRow = {
  id: string;
  source: 'gateway' | 'journal';
  kind: string;
  companyId: string;
  isCompanyHere: boolean;
  invoiceId: string | null;
  number: string | null;
  gateway: string | null;
  gatewayObjectId: string | null;
  total: string | null;
  minor: string | null;
  currency: string | null;
  /** Of an object at a gateway. */
  status: string | null;
  happenedAt: Date;
  state: CaseState;
  note: string | null;
  acknowledgedAt: Date | null;
};

/** Reads a page of cases in this state, or in any, in the order in which they happened, and counts them all. */
export async function selectCases(
  db: Queryable,
  { state, limit, offset }: { state: CaseState | null; limit: number; offset: number },
): Promise<{ total: number; data: CaseRow[] }> {
  const [counted] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM recovery_cases WHERE ${state}::text IS NULL OR ${stateOfCase(db)} = ${state}`;
  const data = await db<CaseRow[]>`
    SELECT one.id, source, one.kind, one.company_id AS "companyId", gateway, object_id AS "gatewayObjectId",
           EXISTS (SELECT FROM companies WHERE companies.id = one.company_id) AS "isCompanyHere", invoice_id AS "invoiceId",
           coalesce(
             CASE WHEN one.kind IN ('invoice', 'credit_note') THEN given ->> 'number' END,
             given -> 'details' ->> 'invoiceNumber', invoices.number, lost.invoice ->> 'number'
           ) AS number,
           given ->> 'total' AS total, ${minorOf(db)} AS minor,
           coalesce(given ->> 'currency', invoices.currency, lost.invoice ->> 'currency') AS currency,
           given ->> 'status' AS status, happened_at AS "happenedAt", ended_state AS state, note,
           acknowledged_at AS "acknowledgedAt"
    FROM (
      SELECT *, content::json AS given, ${invoiceOfCase(db)} AS invoice_id, ${stateOfCase(db)} AS ended_state FROM recovery_cases
      WHERE ${state}::text IS NULL OR ${stateOfCase(db)} = ${state}
      ORDER BY happened_at, id LIMIT ${limit} OFFSET ${offset}
    ) AS one
    LEFT JOIN alerts ON ${isAlertOf(db, db`one`)}
    LEFT JOIN invoices ON invoices.company_id = one.company_id AND invoices.id = invoice_id
    LEFT JOIN LATERAL (
      -- What the journal says about an invoice that is lost too: a credit note is in its currency, a void has its number.
      SELECT cases.content::json AS invoice FROM recovery_cases AS cases
      WHERE invoice_id IS NOT NULL AND cases.company_id = one.company_id AND cases.subject = invoice_id
        AND cases.kind = 'invoice' AND cases.content IS NOT NULL
      LIMIT 1
    ) AS lost ON invoices.id IS NULL
    ORDER BY happened_at, one.id`;
  return { total: counted.total, data };
}

/** What a case moves. Of a journal's payments and refunds only those are cases that moved credit alone. */
function minorOf(db: Queryable): Part {
  return db`CASE
    WHEN source = 'gateway' THEN coalesce(given ->> 'capturedAmountMinor', given ->> 'amountMinor')
    WHEN one.kind = 'credit_entry' THEN given ->> 'amount_minor'
    ELSE coalesce(given ->> 'creditMinor', given ->> 'credit_minor')
  END`;
}

/** The alert of a case is of the case's company, or of none if that company is not here. */
function isAlertOf(db: Queryable, cases: Part): Part {
  return db`${cases}.state = 'person' AND alerts.company_id IN (${cases}.company_id, ${OPERATOR_SCOPE}) AND alerts.id = ${cases}.alert`;
}

export type CaseCounts = Record<CaseState, number>;

/** How many cases there are in each state, without `open_invoices`; of those for a person, how many nobody has acknowledged. */
export async function countCases(db: Queryable): Promise<CaseCounts> {
  const [row] = await db<[CaseCounts]>`
    SELECT count(*) FILTER (WHERE state = 'open')::int AS open,
           count(*) FILTER (WHERE state = 'person' AND acknowledged_at IS NULL)::int AS person,
           count(*) FILTER (WHERE state = 'done')::int AS done
    FROM (SELECT ${stateOfCase(db)} AS state, company_id, alert FROM recovery_cases WHERE kind <> ${OPEN_INVOICES}) AS cases
    LEFT JOIN alerts ON ${isAlertOf(db, db`cases`)}`;
  return row;
}

export type OpenHoldRow = {
  id: string;
  reason: string;
  since: Date;
  comparedFrom: Date | null;
  lastPassAt: Date | null;
  found: number | null;
};

/** Reads the open hold; null when there is none. */
export async function selectHoldOverview(db: Queryable): Promise<OpenHoldRow | null> {
  const [row] = await db<OpenHoldRow[]>`
    SELECT id, reason, begun_at AS since, compared_from AS "comparedFrom", last_pass_at AS "lastPassAt", last_pass_found AS found
    FROM charges_holds WHERE ended_at IS NULL`;
  return row ?? null;
}

export type JournalRow = {
  id: string;
  host: string;
  directory: string;
  isKept: boolean;
  seenAt: Date;
  readAt: Date | null;
  damage: string | null;
  lacks: string | null;
  lostAt: Date | null;
  missing: boolean;
};

/** Lists the journals of the database, the one that was seen last first. */
export async function selectJournalOverview(db: Queryable): Promise<JournalRow[]> {
  return db<JournalRow[]>`SELECT ${journalOverview(db)} FROM journals ORDER BY seen_at DESC, id`;
}

/** What the overview shows of a journal. A process that lives was seen within seconds. */
export function journalOverview(db: Queryable): Part {
  return db`
    journals.id, host, directory, journals.seen_at AS "seenAt", read_at AS "readAt", lost_at AS "lostAt",
    CASE WHEN lost_at IS NULL THEN damage END AS damage,
    EXISTS (SELECT FROM processes WHERE journal_id = journals.id AND processes.seen_at > now() - interval '5 seconds') AS "isKept",
    (SELECT unjournaled FROM charges_holds WHERE ended_at IS NULL AND lost_at IS NULL AND ${lacksJournal(db)}) AS lacks,
    EXISTS (
      SELECT FROM charges_holds WHERE ended_at IS NULL AND (NOT ${isSettled(db, db`charges_holds.id`)} OR ${lacksJournal(db)})
    ) AND lost_at IS NULL AS missing`;
}
