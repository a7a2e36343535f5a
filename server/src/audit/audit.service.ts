import type { Part, Queryable, Tx } from '../platform/database/database.ts';
import { OPERATOR_SCOPE, ownerOf } from '../platform/operator-scope.ts';
import { chainCompany } from './audit.chain.ts';
import { type NewAuditEntry, writeEntry } from './audit.entry.ts';
import { findCompaniesOfPerson } from './audit.operator.queries.ts';
import { forgetInEntries, insertEntries, insertEntry, insertingParts } from './audit.queries.ts';

export type { NewAuditEntry } from './audit.entry.ts';

/**
 * Records an entry of the audit log. Call it in the transaction of the change, so that the entry exists exactly when the change does.
 * @param companyId - whose log it is in, if the company is its audience; null for what concerns no company, which only the operator reads
 */
export async function recordAudit(tx: Queryable, companyId: string | null, entry: NewAuditEntry): Promise<void> {
  const owner = ownerOf(entry.audience, companyId);
  await insertEntry(tx, owner, writeEntry(owner, entry));
}

/** Records several, in one statement for each audience. */
export async function recordAudits(
  tx: Queryable,
  companyId: string | null,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  for (const [audience, ofAudience] of Map.groupBy(entries, (entry) => entry.audience)) {
    const owner = ownerOf(audience, companyId);
    await insertEntries(
      tx,
      owner,
      ofAudience.map((entry) => writeEntry(owner, entry)),
    );
  }
}

/**
 * The same as parts of the statement that makes the change: `WITH <these> …`. They are named `audited` and `pending`.
 * @param from - `FROM …` of a part that has one row if the change is made, or none; without it the entry is always recorded
 */
export function auditParts(db: Queryable, companyId: string | null, entry: NewAuditEntry, from?: Part): Part {
  const owner = ownerOf(entry.audience, companyId);
  return insertingParts(db, owner, writeEntry(owner, entry), from);
}

/** Whom the log forgets; with an e-mail, also where it was recorded while its user was not known. */
type Person = { userId: string; email: string | null };

/**
 * Empties the names and e-mails of a person in a company's log (null: in the log of what concerns no company). The ids stay, and the chain
 * verifies. Entries that other transactions are about to commit are not reached: end the person's sessions before.
 */
export async function forgetPerson(tx: Tx, companyId: string | null, person: Person): Promise<void> {
  const owner = companyId ?? OPERATOR_SCOPE;
  await chainCompany(tx, owner);
  await forgetInEntries(tx, owner, person);
}

/** The same in every log that names the person, in that of what concerns no company, and in that of `companyId`. */
export async function forgetEverywhere(tx: Tx, person: Person, companyId: string | null): Promise<void> {
  const found = await findCompaniesOfPerson(tx, person.userId);
  const owners = new Set([...found, OPERATOR_SCOPE, ...(companyId === null ? [] : [companyId])]);
  // In one order, so that two deletions do not wait for each other in a circle.
  for (const owner of [...owners].sort()) await forgetPerson(tx, owner, person);
}
