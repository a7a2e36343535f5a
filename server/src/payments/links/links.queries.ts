import type { Part, Queryable, Tx } from '../../platform/database/database.ts';

/** How long a link works after the invoice was due, or after the link was made if that is later. */
const LIFETIME_HOURS = 30 * 24;

export type LinkRow = {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  isExpired: boolean;
  isRevoked: boolean;
};

/** Reads the link of an invoice; null when none was made yet. */
export async function selectLink(db: Queryable, companyId: string, invoiceId: string): Promise<LinkRow | null> {
  const [row] = await db<LinkRow[]>`
    ${linkRows(db, db`invoice_links`)} WHERE links.company_id = ${companyId} AND links.invoice_id = ${invoiceId}`;
  return row ?? null;
}

/**
 * Reads the link of an invoice, or makes the first one with this id. Null for an unknown invoice, and when another request makes the first
 * link at this moment.
 */
export async function findOrInsertLink(
  db: Queryable,
  companyId: string,
  invoiceId: string,
  id: string,
): Promise<LinkRow | null> {
  const [row] = await db<LinkRow[]>`
    WITH found AS (
      SELECT * FROM invoice_links WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}
    ), made AS (
      INSERT INTO invoice_links (company_id, invoice_id, id)
      SELECT company_id, id, ${id}::uuid FROM invoices
      WHERE company_id = ${companyId} AND id = ${invoiceId} AND NOT EXISTS (SELECT FROM found)
      ON CONFLICT (company_id, invoice_id) DO NOTHING
      RETURNING *
    )
    ${linkRows(db, db`(SELECT * FROM found UNION ALL SELECT * FROM made)`)}`;
  return row ?? null;
}

/** SQL that reads links of a table expression as a `LinkRow`. */
function linkRows(db: Queryable, links: Part): Part {
  return db`
    SELECT links.id, links.created_at AS "createdAt", ends.at AS "expiresAt", ends.at <= now() AS "isExpired",
           links.revoked_at IS NOT NULL AS "isRevoked"
    FROM ${links} AS links
    JOIN invoices ON invoices.company_id = links.company_id AND invoices.id = links.invoice_id
    CROSS JOIN LATERAL (
      SELECT greatest(invoices.due_at, links.created_at) + make_interval(hours => ${LIFETIME_HOURS}) AS at
    ) AS ends`;
}

/** Puts a new link in the place of this one. Of several at once, one does. */
export async function renewLink(
  db: Queryable,
  companyId: string,
  invoiceId: string,
  { id, expired }: { id: string; expired: string },
): Promise<void> {
  await db`
    UPDATE invoice_links SET id = ${id}, created_at = now()
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} AND id = ${expired} AND revoked_at IS NULL`;
}

/** Makes a link, in the place of the one before if there is one. */
export async function replaceLink(tx: Tx, companyId: string, invoiceId: string, id: string): Promise<void> {
  await tx`
    INSERT INTO invoice_links (company_id, invoice_id, id) VALUES (${companyId}, ${invoiceId}, ${id})
    ON CONFLICT (company_id, invoice_id) DO UPDATE SET id = excluded.id, created_at = now(), revoked_at = NULL`;
}

/** Revokes the link, also one that was never made. @returns false when it was revoked before */
export async function markRevoked(tx: Tx, companyId: string, invoiceId: string, id: string): Promise<boolean> {
  const rows = await tx`
    INSERT INTO invoice_links (company_id, invoice_id, id, revoked_at)
    VALUES (${companyId}, ${invoiceId}, ${id}, now())
    ON CONFLICT (company_id, invoice_id) DO UPDATE SET revoked_at = now() WHERE invoice_links.revoked_at IS NULL
    RETURNING 1`;
  return rows.length > 0;
}

/** The invoice's number, and its link as the audit log shows it; null without such an invoice. */
export async function selectLinkedInvoice(
  db: Queryable,
  companyId: string,
  invoiceId: string,
): Promise<{ companyId: string; number: string; linkCreatedAt: Date | null } | null> {
  const [row] = await db<{ companyId: string; number: string; linkCreatedAt: Date | null }[]>`
    SELECT invoices.company_id AS "companyId", invoices.number,
           CASE WHEN links.revoked_at IS NULL THEN links.created_at END AS "linkCreatedAt"
    FROM invoices
    LEFT JOIN invoice_links AS links ON links.company_id = invoices.company_id AND links.invoice_id = invoices.id
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  return row ?? null;
}
