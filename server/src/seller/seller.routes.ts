import type { FastifyInstance } from 'fastify';
import { route } from '../platform/http/route/route.ts';
import { selectSeller, updateSeller } from './seller.operator.queries.ts';
import { Seller, SellerBody } from './seller.schema.ts';

/** Registers the routes for the seller, who issues the invoices. */
export function registerSellerRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/seller',
    operationId: 'getSeller',
    tag: 'Operator',
    summary: 'Read who issues the invoices',
    access: 'operator',
    response: { 200: Seller },
    errors: [],
    handler: (_context, db) => selectSeller(db),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/seller',
    operationId: 'updateSeller',
    tag: 'Operator',
    summary: 'Change who issues the invoices',
    description:
      'Fields that are absent keep their values. Invoices that are issued already go on naming the seller as it was then.',
    access: 'operator',
    body: SellerBody,
    response: { 200: Seller },
    errors: [],
    audit: { audience: 'operator', action: 'seller.updated', before: (_context, tx) => selectSeller(tx) },
    transaction: async ({ body }, tx) => {
      await updateSeller(tx, body);
      return selectSeller(tx);
    },
  });
}
