import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { recordAudit } from '../../audit/audit.service.ts';
import type { Config } from '../../platform/config/config.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { AdoptBody, Adopted, JournalLinesAdded, JournalLinesBody, RecoveryPass } from './adopt.schema.ts';
import { adoptCases } from './adopt.service.ts';
import { addJournalLines, declareJournalLost, retireJournal } from './journals/journals.ts';
import { CaseQuery, Recovery, RecoveryCaseList, RecoveryJournal } from './overview/overview.schema.ts';
import { listCases, readRecovery } from './overview/overview.ts';
import { type PassDependencies, passNow } from './passes.ts';

export type RecoveryContext = PassDependencies & { config: Config; keyring: Keyring; logger: Logger };

const MAX_CASES = 1_000;
/** One line may have all lines of a large invoice. */
const MAX_LINES_BYTES = 4 * 1024 * 1024;

/** Registers the routes for a database that went back to an earlier state. */
export function registerRecoveryRoutes(app: FastifyInstance, context: RecoveryContext): void {
  registerReadRoutes(app, context);
  registerJournalRoutes(app, context);
  route(app, {
    method: 'POST',
    url: '/operator/recovery/passes',
    operationId: 'makeRecoveryPass',
    tag: 'Operator',
    summary: 'Compare the database with the gateways and the journals now',
    description:
      'Changes nothing in the books. If the database was restored to an earlier state, the comparison begins a hold. During a ' +
      'hold, the comparison lists what the database lacks, and ends the hold when nothing is missing and the gateways have had ' +
      'time to list their newest objects.',
    access: 'operator',
    response: { 200: RecoveryPass },
    errors: ['service_unavailable'],
    idempotency: 'run',
    audit: { unrecorded: 'The comparison changes nothing in the books.' },
    handler: () => passNow(context),
  });
  route(app, {
    method: 'POST',
    url: '/operator/recovery/adopt',
    operationId: 'adoptRecoveryCases',
    tag: 'Operator',
    summary: 'Write back to the database what the gateways and the journals have',
    description:
      'Processes the open cases in the order in which they happened, each in one transaction, for about 20 seconds. Send the ' +
      'request again until none is left. A finished case stays finished if the request is interrupted. A case that only a person ' +
      'can decide raises the alert `recovery_review`. No case is processed while a journal was neither read nor declared lost.',
    access: 'operator',
    body: AdoptBody,
    response: { 200: Adopted },
    errors: ['gateway_differs', 'journal_missing', 'recovery_running', 'service_unavailable'],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: async ({ body: { companies = [], limit = MAX_CASES }, request }) => {
      const byOldId = Object.fromEntries(companies.map(({ companyId, newCompanyId }) => [companyId, newCompanyId]));
      const adopted = await adoptCases(context, { companies: byOldId, limit });
      const entry = { actor: actorOf(request), action: 'recovery.adopted', target: null };
      await recordAudit(context.db, null, {
        audience: 'operator',
        ...entry,
        changes: { before: {}, after: { ...adopted } },
      });
      return adopted;
    },
  });
}

function registerReadRoutes(app: FastifyInstance, { config, db: pool }: RecoveryContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/recovery',
    operationId: 'getRecovery',
    tag: 'Operator',
    summary: 'Read why and until when the database holds charges',
    description:
      'Returns the hold, the journals of the database, and the number of cases: what the gateways and the journals have and the ' +
      'database lacks.',
    access: 'operator',
    response: { 200: Recovery },
    errors: [],
    handler: (_context, db) => readRecovery(db, config),
  });
  route(app, {
    method: 'GET',
    url: '/operator/recovery/cases',
    operationId: 'listRecoveryCases',
    tag: 'Operator',
    summary: 'List what the gateways and the journals have and the database lacks',
    description:
      'Lists the cases in the order in which they happened. The comparisons during a hold find them. Processed cases stay in the ' +
      'list.',
    access: 'operator',
    query: CaseQuery,
    response: { 200: RecoveryCaseList },
    errors: [],
    handler: ({ query }) => listCases(pool, query),
  });
}

function registerJournalRoutes(app: FastifyInstance, context: RecoveryContext): void {
  route(app, {
    method: 'POST',
    url: '/operator/recovery/journals/:journal_id/entries',
    operationId: 'addJournalLines',
    tag: 'Operator',
    summary: "Read another machine's journal",
    description:
      'Sends some lines of the journal. The request with the last lines sets `isLast`. What the database lacks becomes cases, ' +
      'and begins a hold if there is none. Lines that were sent before change nothing.',
    access: 'operator',
    resource: 'journal',
    body: JournalLinesBody,
    bodyLimitBytes: MAX_LINES_BYTES,
    response: { 200: JournalLinesAdded },
    errors: [],
    idempotency: 'run',
    audit: { recordedBy: 'service' },
    handler: async ({ ids, body, request }) => {
      const added = await addJournalLines({ ...context, mails: context }, ids.journal_id, body);
      const target = { kind: 'journal', id: ids.journal_id, name: '' };
      const entry = { actor: actorOf(request), action: 'journal.lines_added', target };
      await recordAudit(context.db, null, {
        audience: 'operator',
        ...entry,
        changes: { before: {}, after: { ...added } },
      });
      return added;
    },
  });
  route(app, {
    method: 'POST',
    url: '/operator/recovery/journals/:journal_id/lost',
    operationId: 'declareJournalLost',
    tag: 'Operator',
    summary: 'Declare a journal lost',
    description:
      'Declares that the journal cannot be recovered, so that a hold can end without it. What only that journal has is not ' +
      'found. If a process still keeps the journal, the database knows the journal again.',
    access: 'operator',
    resource: 'journal',
    response: { 200: RecoveryJournal },
    examples: { 200: { lostAt: '2026-10-01T00:05:00.000Z' } },
    errors: [],
    idempotency: 'create',
    audit: { audience: 'operator', action: 'journal.declared_lost', fields: ['lostAt'] },
    transaction: ({ ids }, tx) => declareJournalLost(tx, ids.journal_id),
  });
  route(app, {
    method: 'POST',
    url: '/operator/recovery/journals/:journal_id/retire',
    operationId: 'retireJournal',
    tag: 'Operator',
    summary: 'Forget a journal that is no longer kept',
    description:
      'For a machine or a folder that is given up while the database is sound: no hold waits for its journal any longer. Without ' +
      'this request, the database forgets a journal 40 days after it was last kept.',
    access: 'operator',
    resource: 'journal',
    response: { 200: RecoveryJournal },
    examples: { 200: { isKept: false } },
    errors: ['charges_held', 'journal_in_use'],
    idempotency: 'create',
    audit: { audience: 'operator', action: 'journal.retired', fields: ['directory', 'host'] },
    transaction: ({ ids }, tx) => retireJournal(tx, ids.journal_id),
  });
}
