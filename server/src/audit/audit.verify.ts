import type { Queryable } from '../platform/database/database.ts';
import { invalidField } from '../platform/errors.ts';
import { OPERATOR_SCOPE } from '../platform/operator-scope.ts';
import { chainAll } from './audit.chain.ts';
import { arePersonsGenuine, hashEntry, readEntry } from './audit.entry.ts';
import { type ChainedRow, findNextChain, selectChainPart, selectHash } from './audit.operator.queries.ts';
import type { AUDIT_PROBLEMS, AuditVerification } from './audit.schema.ts';

/** How much one answer is about, so that it takes a part of a second and little memory. */
const ENTRIES_AT_ONCE = 500;
const ENTRIES_IN_ALL = 5_000;
const CHAINS_IN_ALL = 500;

type Problem = { sequence: number; problem: (typeof AUDIT_PROBLEMS)[number] };
/** How far a chain was checked: the last number, and its hash. */
type Position = { companyId: string; sequence: bigint; hash: string | null };
type Checked = { checked: number; problems: Problem[]; position: Position; isEnded: boolean };

/**
 * Checks some of all chains: that no number is missing, that each entry is what its hash was made of and names the entry
 * before it, and that the chain ends where its head says. `nextCursor` goes on. @throws ApiError 400
 */
export async function verifyChains(db: Queryable, cursor: string | undefined): Promise<AuditVerification> {
  if (cursor === undefined) await chainAll(db);
  let position = cursor === undefined ? await startChain(db, null) : await readCursor(db, cursor);
  const problems: AuditVerification['problems'] = [];
  let checked = 0;
  for (let chains = 0; position !== null && checked < ENTRIES_IN_ALL && chains < CHAINS_IN_ALL; ) {
    const part = await checkPart(db, position);
    const companyId = position.companyId === OPERATOR_SCOPE ? null : position.companyId;
    problems.push(...part.problems.map((problem) => ({ companyId, ...problem })));
    checked += part.checked;
    if (part.isEnded) chains += 1;
    position = part.isEnded ? await startChain(db, position.companyId) : part.position;
  }
  const nextCursor = position === null ? null : `${position.companyId}.${position.sequence}`;
  return { checked, problems, nextCursor };
}

async function checkPart(db: Queryable, { companyId, sequence, hash }: Position): Promise<Checked> {
  const { rows, entries, headHash } = await selectChainPart(
    db,
    { companyId, after: String(sequence) },
    ENTRIES_AT_ONCE,
  );
  const problems: Problem[] = [];
  let position: Position = { companyId, sequence, hash };
  for (const row of rows) {
    problems.push(...checkEntry(row, position));
    position = { companyId, sequence: BigInt(row.sequence), hash: row.hash };
  }
  const isEnded = rows.length < ENTRIES_AT_ONCE;
  const endsRight = String(position.sequence) === (entries ?? '0') && position.hash === headHash;
  if (isEnded && !endsRight) problems.push({ sequence: Number(position.sequence), problem: 'head' });
  return { checked: rows.length, problems, position, isEnded };
}

/** The problems of an entry that follows `before` in its chain. */
function checkEntry(row: ChainedRow, before: Position): Problem[] {
  const sequence = Number(row.sequence);
  const expected = before.sequence + 1n;
  if (BigInt(row.sequence) !== expected) return [{ sequence: Number(expected), problem: 'missing' }];
  if (row.content === null) return [{ sequence, problem: 'missing' }];
  if (row.previousHash !== before.hash) return [{ sequence, problem: 'link' }];
  return isGenuine(row, row.content) ? [] : [{ sequence, problem: 'changed' }];
}

function isGenuine(row: ChainedRow, content: string): boolean {
  const { companyId, id, sequence, persons, previousHash, hash } = row;
  if (hashEntry(previousHash, sequence, content) !== hash) return false;
  const entry = readEntry(content, {});
  const { action, actor, target } = entry;
  const isFound = action === row.action && actor.id === row.actorId && (target?.id ?? null) === row.targetId;
  return isFound && entry.companyId === companyId && entry.id === id && arePersonsGenuine(content, persons);
}

/** The beginning of the chain after a company's; null after the last. */
async function startChain(db: Queryable, after: string | null): Promise<Position | null> {
  const companyId = await findNextChain(db, after);
  return companyId === null ? null : { companyId, sequence: 0n, hash: null };
}

async function readCursor(db: Queryable, cursor: string): Promise<Position> {
  const [, companyId, digits] = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,18})$/.exec(cursor) ?? [];
  if (companyId === undefined || digits === undefined) {
    throw invalidField('cursor', 'must be the nextCursor of the previous answer');
  }
  return { companyId, sequence: BigInt(digits), hash: await selectHash(db, { companyId, sequence: digits }) };
}
