import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { LostNumberList, LostNumberQuery } from './lost-numbers.schema.ts';
import { listLostNumbers } from './lost-numbers.ts';
import { selectNumbering } from './numbering.operator.queries.ts';
import { Numbering, NumberingBody } from './numbering.schema.ts';
import { changeNumbering } from './numbering.service.ts';

/** Registers the routes for the numbering of invoices and credit notes. */
export function registerNumberingRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/numbering',
    operationId: 'getNumbering',
    tag: 'Operator',
    summary: 'Read how invoices and credit notes are numbered',
    access: 'operator',
    response: { 200: Numbering },
    errors: [],
    handler: (_context, db) => selectNumbering(db),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/numbering',
    operationId: 'updateNumbering',
    tag: 'Operator',
    summary: 'Change how invoices and credit notes are numbered',
    description:
      'Fields that are absent keep their values. Issued documents keep their numbers. A number is never used twice: with a ' +
      'prefix that was used before, the numbers continue after the last one.',
    access: 'operator',
    body: NumberingBody,
    response: { 200: Numbering },
    errors: [],
    audit: { audience: 'operator', action: 'numbering.updated', before: (_context, tx) => selectNumbering(tx) },
    transaction: ({ body }, tx) => changeNumbering(tx, body),
  });
  route(app, {
    method: 'GET',
    url: '/operator/lost-numbers',
    operationId: 'listLostNumbers',
    tag: 'Operator',
    summary: 'List the numbers of lost documents',
    description:
      'Lists the numbers of documents that were lost when the database was restored to an earlier state, and that could not be ' +
      'written again. The last recorded number comes first. These numbers are never used again.',
    access: 'operator',
    query: LostNumberQuery,
    response: { 200: LostNumberList },
    errors: [],
    handler: ({ query }, db) => listLostNumbers(db, query),
  });
}
