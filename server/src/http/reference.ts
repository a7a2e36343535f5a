import type { FastifyInstance } from 'fastify';
import packageJson from '../../../package.json' with { type: 'json' };
import { describeApi } from './openapi.ts';

/** The API reference: the OpenAPI document, and a page that shows it. */
export async function registerReferenceRoutes(app: FastifyInstance): Promise<void> {
  let document: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(describeApi(app.http.operations, packageJson.version), null, 2);
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
