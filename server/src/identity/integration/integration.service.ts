import { recordAudit } from '../../audit/audit.service.ts';
import { afterCommit, type Db, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { lockAllowedOrigins, selectAllowedOrigins, updateAllowedOrigins } from './integration.operator.queries.ts';
import type { Integration, IntegrationBody } from './integration.schema.ts';
import { normalizeOrigin, originOfPage } from './origin.ts';

/** How long the origins are used without asking the database again. Other processes see a change this much later. */
const RECHECK_AFTER_MS = 1_000;

/** The origins of the pages that may send the tokens of customer sessions, as this process knows them. */
export type AllowedOrigins = {
  /** Returns without a promise when they were read within the last second. */
  read: () => readonly string[] | Promise<readonly string[]>;
  /** Called once they have changed: this process reads them anew. */
  forget: () => void;
};

/** Remembers the origins for a second. */
export function rememberAllowedOrigins(db: Db): AllowedOrigins {
  /** What was read last, for as long as the database can't be asked. */
  let last: readonly string[] = [];
  let known: { origins: readonly string[] | Promise<readonly string[]>; readAtMs: number } | null = null;
  const ask = (): Promise<readonly string[]> => {
    const origins: Promise<readonly string[]> = selectAllowedOrigins(db).catch(() => last);
    const asked = { origins: origins as readonly string[] | Promise<readonly string[]>, readAtMs: performance.now() };
    known = asked;
    origins.then((read) => {
      asked.origins = read;
      last = read;
    });
    return origins;
  };
  return {
    read: () => (known !== null && performance.now() - known.readAtMs < RECHECK_AFTER_MS ? known.origins : ask()),
    forget: () => {
      known = null;
    },
  };
}

/** What the operator's product may do from its pages. */
export async function readIntegration(db: Queryable): Promise<Integration> {
  return { allowedOrigins: await selectAllowedOrigins(db) };
}

/** Replaces the allowed origins, each once and in the form in which browsers send it. Without a change nothing is recorded. */
export async function changeIntegration(
  tx: Tx,
  { allowedOrigins: given }: IntegrationBody,
  { actor, forget }: { actor: Actor; forget: AllowedOrigins['forget'] },
): Promise<Integration> {
  const before = await lockAllowedOrigins(tx);
  const after = [...new Set(given.map(normalizeOrigin))];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await updateAllowedOrigins(tx, after);
    await recordAudit(tx, null, {
      audience: 'operator',
      actor,
      action: 'integration.updated',
      target: { kind: 'integration', id: null, name: '' },
      changes: { before: { allowedOrigins: before }, after: { allowedOrigins: after } },
    });
    afterCommit(tx, async () => forget());
  }
  return { allowedOrigins: after };
}

/**
 * Returns the URL of a page of the operator's product in the spelling that browsers use, and null of another page. The address of an origin
 * stays without a path.
 */
export async function readAllowedPage(db: Queryable, url: string): Promise<string | null> {
  const origin = originOfPage(url);
  if (origin === null || !(await selectAllowedOrigins(db)).includes(origin)) return null;
  return url === origin ? url : new URL(url).href;
}
