import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { recordAudit } from '../audit/audit.service.ts';
import { type FindPeriodsSince, handOverUsage } from '../metering/usage/usage.service.ts';
import type { Config } from '../platform/config/config.ts';
import { actorOf } from '../platform/http/route/actor.ts';
import { route } from '../platform/http/route/route.ts';
import type { Keyring } from '../platform/keys/keys.ts';
import { adoptCases } from './adopt/adopt.service.ts';
import { addJournalLines, declareJournalLost } from './adopt/journals.ts';
import { listCases, type PassDependencies, passNow, readRecovery } from './adopt/overview.ts';
import { listWaiting, resolveCase } from './resolve/resolve.ts';
import * as schema from './schema/recovery.schema.ts';

export type RecoveryContext = PassDependencies & {
  config: Config;
  keyring: Keyring;
  logger: Logger;
  findPeriodsSince: FindPeriodsSince;
};

const MAX_CASES = 1_000;
/** One line may have all lines of a large invoice. */
const MAX_LINES_BYTES = 4 * 1024 * 1024;
const OPERATOR = { tag: 'Operator', access: 'operator' } as const;
/** They can be repeated, and what they do is over when they answer. */
const RUN = { ...OPERATOR, method: 'POST', idempotency: 'run' } as const;
const RECORDED = { audit: { recordedBy: 'service' } } as const;

/** Registers the routes for a database that went back to an earlier state. */
export function registerRecoveryRoutes(app: FastifyInstance, context: RecoveryContext): void {
  registerReadRoutes(app, context);
  registerJournalRoutes(app, context);
  const handover = handOverUsage(context);
  route(app, {
    ...RUN,
    url: '/operator/recovery/passes',
    operationId: 'makeRecoveryPass',
    summary: 'Compare the database with the gateways and the journals now',
    description:
      'Changes nothing in the books. If the database was restored to an earlier state, the comparison begins a hold. During a ' +
      'hold, the comparison lists what the database lacks, and ends the hold when nothing is missing and the gateways have had ' +
      'time to list their newest objects.',
    response: { 200: schema.RecoveryPass },
    errors: ['service_unavailable'],
    audit: { unrecorded: 'The comparison changes nothing in the books.' },
    handler: () => passNow(context),
  });
  route(app, {
    ...{ ...RUN, ...RECORDED },
    url: '/operator/recovery/adopt',
    operationId: 'adoptRecoveryCases',
    summary: 'Write back to the database what the gateways and the journals have',
    description:
      'Processes the open cases in the order in which they happened, each in one transaction, for about 20 seconds. Send the ' +
      'request again until none is left. A finished case stays finished if the request is interrupted. A case that only a person ' +
      'can decide raises the alert `recovery_review`. No case is processed while a journal was neither read nor declared lost.',
    body: schema.AdoptBody,
    response: { 200: schema.Adopted },
    errors: ['gateway_differs', 'journal_missing', 'recovery_running', 'service_unavailable'],
    handler: async ({ body: { companies = [], limit = MAX_CASES }, request }) => {
      const byOldId = Object.fromEntries(companies.map(({ companyId, newCompanyId }) => [companyId, newCompanyId]));
      const adopted = await adoptCases({ ...context, handover }, { companies: byOldId, limit });
      const changes = { before: {}, after: { ...adopted } };
      const entry = { actor: actorOf(request), action: 'recovery.adopted' as const, target: null, changes };
      await recordAudit(context.db, null, { audience: 'operator', ...entry });
      return adopted;
    },
  });
  route(app, {
    ...{ ...RUN, ...RECORDED },
    url: '/operator/recovery/cases/:case_id/resolve',
    operationId: 'resolveRecoveryCase',
    summary: 'Decide about a case that was left to a person',
    description:
      'Also works during a hold, and can be repeated: a capture is accepted or refunded only once. `accepted` is for a second ' +
      'capture of a debt, if nothing of it was refunded. `refunded` is for a capture whose company or invoice is not in the ' +
      'database, or whose invoice is paid: the capture is booked to the account `unallocated`, and the refund reverses that. ' +
      '`released` lets invoices be charged again that wait because a journal was lost or because a person had to compare them. ' +
      'Void or credit what is no longer owed first.',
    resource: 'case',
    body: schema.ResolveCaseBody,
    response: { 200: schema.CaseResolution },
    errors: [
      ...(['not_under_review', 'payment_not_captured', 'payment_under_review'] as const),
      ...(['credit_currency_differs', 'refund_refused', 'service_unavailable'] as const),
    ],
    handler: ({ ids, body, request }) =>
      resolveCase(context, { ...body, caseId: ids.case_id, actor: actorOf(request) }),
  });
}

function registerReadRoutes(app: FastifyInstance, { config, db: pool }: RecoveryContext): void {
  const read = { ...OPERATOR, method: 'GET', errors: [] } as const;
  route(app, {
    ...read,
    url: '/operator/recovery',
    operationId: 'getRecovery',
    summary: 'Read why and until when the database holds charges',
    description:
      'Returns the hold, the journals of the database, and the number of cases. A case is a charge, refund or document that a ' +
      'gateway or a journal has and the database lacks.',
    response: { 200: schema.Recovery },
    handler: (_context, db) => readRecovery(db, config),
  });
  route(app, {
    ...read,
    url: '/operator/recovery/cases',
    operationId: 'listRecoveryCases',
    summary: 'List what the gateways and the journals have and the database lacks',
    description:
      'Lists the cases in the order in which they happened. The comparisons during a hold find them. Processed cases stay in the ' +
      'list.',
    query: schema.CaseQuery,
    response: { 200: schema.RecoveryCaseList },
    handler: ({ query }) => listCases(pool, query),
  });
  route(app, {
    ...read,
    url: '/operator/recovery/invoices',
    operationId: 'listWaitingInvoices',
    summary: 'List the invoices that wait for a release after a restore',
    description: 'Lists the open invoices of all companies, grouped by company.',
    query: schema.WaitingInvoiceQuery,
    response: { 200: schema.WaitingInvoiceList },
    handler: ({ query }, db) => listWaiting(db, query),
  });
}

function registerJournalRoutes(app: FastifyInstance, context: RecoveryContext): void {
  route(app, {
    ...{ ...RUN, ...RECORDED },
    url: '/operator/recovery/journals/:journal_id/entries',
    operationId: 'addJournalLines',
    summary: "Read another machine's journal",
    description:
      'Sends some lines of the journal. The request with the last lines sets `isLast`. What the database lacks becomes cases, ' +
      'and begins a hold if there is none. Lines that were sent before change nothing.',
    resource: 'journal',
    body: schema.JournalLinesBody,
    bodyLimitBytes: MAX_LINES_BYTES,
    response: { 200: schema.JournalLinesAdded },
    errors: [],
    handler: async ({ ids, body, request }) => {
      const added = await addJournalLines({ ...context, mails: context }, ids.journal_id, body);
      const target = { kind: 'journal', id: ids.journal_id, name: '' };
      const entry = { actor: actorOf(request), action: 'journal.lines_added' as const, target };
      const changes = { before: {}, after: { ...added } };
      await recordAudit(context.db, null, { audience: 'operator', ...entry, changes });
      return added;
    },
  });
  route(app, {
    ...{ ...OPERATOR, method: 'POST', idempotency: 'create' },
    url: '/operator/recovery/journals/:journal_id/lost',
    operationId: 'declareJournalLost',
    summary: 'Declare a journal lost',
    description:
      'Declares that the journal cannot be recovered, so that a hold can end without it. What only that journal has is not ' +
      'found. Without a hold, it is for a machine or a folder that is given up: no hold asks for its journal. If a process still ' +
      'keeps the journal, the database knows the journal again.',
    resource: 'journal',
    response: { 200: schema.RecoveryJournal },
    examples: { 200: { lostAt: '2026-10-01T00:05:00.000Z' } },
    errors: [],
    audit: { audience: 'operator', action: 'journal.declared_lost' as const, fields: ['lostAt'] },
    transaction: ({ ids }, tx) => declareJournalLost(tx, ids.journal_id),
  });
}
