import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/database/database.ts';
import type { NameParts } from '../platform/database/name-parts.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { route } from '../platform/http/route/route.ts';
import { fileContent } from '../platform/http/schema/fields.ts';
import { listCompanyLog, listOperatorLog, writeCompanyFile, writeOperatorFile } from './audit.list.ts';
import {
  AuditEntryList,
  AuditFileQuery,
  AuditQuery,
  AuditVerification,
  AuditVerificationQuery,
  OperatorAuditEntryList,
  OperatorAuditFileQuery,
  OperatorAuditQuery,
} from './audit.schema.ts';
import { verifyChains } from './audit.verify.ts';

const ABOUT =
  'The log has every change of access, settings and money, and every login, newest first. Paydesk writes an entry in the ' +
  'transaction of its change, and never changes or removes the entry. Each entry contains the hash of the entry before ' +
  'it.';

type AuditContext = { db: Db; externalIds: ExternalIds; nameParts: NameParts };

/** The audit log, for a company and for the operator. */
export function registerAuditRoutes(app: FastifyInstance, { db, externalIds, nameParts }: AuditContext): void {
  route(app, {
    method: 'GET',
    url: '/company/audit-log',
    operationId: 'listAuditLog',
    tag: 'Audit log',
    summary: "List the company's audit log",
    description: `${ABOUT} The log includes what the operator does to the company, without the IP addresses of the operator.`,
    access: 'platform.admins.view',
    query: AuditQuery,
    response: { 200: AuditEntryList },
    errors: [],
    handler: ({ companyId, query }) => listCompanyLog(db, companyId, query),
  });
  route(app, {
    method: 'GET',
    url: '/company/audit-log.csv',
    operationId: 'getAuditLogCsv',
    tag: 'Audit log',
    summary: "Read the company's audit log as a file",
    description: 'CSV (RFC 4180), newest first. The column `changes` contains JSON.',
    access: 'platform.admins.view',
    query: AuditFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ companyId, query, reply }) => {
      const file = await writeCompanyFile(db, companyId, query);
      reply.header('content-disposition', 'attachment; filename="audit-log.csv"');
      return file;
    },
  });
  registerOperatorRoutes(app, { db, externalIds, nameParts });
}

function registerOperatorRoutes(app: FastifyInstance, { db, externalIds, nameParts }: AuditContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/audit-log',
    operationId: 'listOperatorAuditLog',
    tag: 'Operator',
    summary: 'List the audit log',
    description: `${ABOUT} Each company has a chain of its own. One more chain has the entries that concern no company.`,
    access: 'operator',
    query: OperatorAuditQuery,
    response: { 200: OperatorAuditEntryList },
    errors: [],
    handler: ({ query }) => listOperatorLog(db, query, nameParts.companyName),
  });
  route(app, {
    method: 'GET',
    url: '/operator/audit-log.csv',
    operationId: 'getOperatorAuditLogCsv',
    tag: 'Operator',
    summary: 'Read the audit log as a file',
    description: 'CSV (RFC 4180), newest first. The column `changes` contains JSON.',
    access: 'operator',
    query: OperatorAuditFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }) => {
      const file = await writeOperatorFile(db, query, externalIds);
      reply.header('content-disposition', 'attachment; filename="audit-log.csv"');
      return file;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/audit-log/verification',
    operationId: 'verifyAuditLog',
    tag: 'Operator',
    summary: 'Verify the audit log',
    description:
      'Computes the hashes of all chains again. An answer covers some thousand entries: send `nextCursor` as `cursor` until ' +
      'it is null. `npm run paydesk -- audit verify` does the same in a terminal.',
    access: 'operator',
    query: AuditVerificationQuery,
    response: { 200: AuditVerification },
    errors: [],
    handler: ({ query }) => verifyChains(db, query.cursor),
  });
}
