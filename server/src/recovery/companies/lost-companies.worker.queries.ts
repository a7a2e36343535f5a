import type { Tx } from '../../platform/database/database.ts';

/** What is known of the company that a case was of. */
export type CompanyOfCase = {
  isHere: boolean;
  /** The company that has got what was of it, by an earlier case. */
  movedTo: string | null;
  /** What a journal has of it, as it was last; null where none has it. JSON text. */
  document: string | null;
  /** Its external id then: as the journal has it, else as the case has it. */
  externalId: string | null;
};

/** Reads what is known of the company of a case. */
export async function selectCompanyOfCase(
  tx: Tx,
  { companyId, companyExternalId }: { companyId: string; companyExternalId: string | null },
): Promise<CompanyOfCase> {
  const [row] = await tx<[CompanyOfCase]>`
    SELECT EXISTS (SELECT FROM companies WHERE id = ${companyId}) AS "isHere",
           (SELECT company_id FROM recovery_cases WHERE kind = 'company' AND subject = ${companyId} AND company_id <> subject
            ORDER BY happened_at DESC LIMIT 1) AS "movedTo",
           last.content AS document,
           CASE WHEN last.content IS NULL THEN ${companyExternalId}
                ELSE last.content::json -> 'company' ->> 'external_id' END AS "externalId"
    FROM (SELECT) AS one
    LEFT JOIN LATERAL (
      SELECT content FROM recovery_cases WHERE kind = 'company' AND subject = ${companyId} AND content IS NOT NULL
      ORDER BY happened_at DESC LIMIT 1
    ) AS last ON true`;
  return row;
}
