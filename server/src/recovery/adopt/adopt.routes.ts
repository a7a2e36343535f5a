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
      'It changes nothing in the books. If the database went back, charges are held. During a hold it finds what is missing, and ends ' +
      'the hold where nothing is and the gateways list everything by now.',
    access: 'operator',
    response: { 200: RecoveryPass },
    errors: ['service_unavailable'],
    idempotency: 'run',
    audit: { unrecorded: 'It compares, and changes nothing in the books.' },
    handler: () => passNow(context),
  });
  route(app, {
    method: 'POST',
    url: '/operator/recovery/adopt',
    operationId: 'adoptRecoveryCases',
    tag: 'Operator',
    summary: 'Bring the books together with the gateways and the journals',
    description:
      'Deals with open cases in the order in which they happened, each in one transaction, for at most some 20 seconds: send the request ' +
      'again until none is left. What was done stays done, whenever it is interrupted. What only a person can decide raises an alert ' +
      '`recovery_review`. Nothing is dealt with while a journal was neither read nor declared lost.',
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
      'With the journals of the database, and how many cases there are of what the gateways and the journals have and it lacks.',
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
      'In the order in which it happened. Passes during a hold find it; what is dealt with stays in the list.',
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
      'Some of its lines; the request with the last ones says so. What the database lacks becomes cases, and begins a hold if there is ' +
      'none. Lines that were sent before change nothing.',
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
      'It will not come back: a hold ends without it. What only that journal has is not found. A process that keeps it after all makes ' +
      'it known again.',
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
    summary: 'Forget a journal that is not kept any more',
    description:
      'For a machine or a folder that is given up while the database is sound: no hold asks for the journal again. Without it the ' +
      'database forgets a journal 40 days after it was last kept.',
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
