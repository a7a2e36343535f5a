/**
 * The floors: bare node:http and postgres.js, one statement a request, of the tables that the answer is made of, and JSON.stringify,
 * without token, permission, validation, total, limits or log. Nothing that does the job can be much faster. And
 * `/hook`, which takes whatever webhook comes.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../server/src/platform/database/pool.ts';

/** The service's own pool settings, so that the two differ in what they do and not in how they connect. */
const sql = connect({ target: process.env.DATABASE_URL ?? '', poolSize: 10, serverVersion: 180_000 });

const QUERIES: Record<string, (parameters: URLSearchParams) => Promise<unknown>> = {
  '/labels': (parameters) => sql`
    SELECT id, company_id, user_id, created_by, updated_by, name, description, color, created_at, updated_at FROM labels
    WHERE company_id = ${parameters.get('company')} ORDER BY name DESC, id DESC LIMIT 10`,
  '/label': (parameters) => sql`
    SELECT id, company_id, user_id, created_by, updated_by, name, description, color, created_at, updated_at FROM labels
    WHERE company_id = ${parameters.get('company')} AND id = ${parameters.get('id')}`,
  '/record-labels': (parameters) => sql`
    SELECT labels.id, name, color FROM label_assignments AS assigned
    JOIN labels ON labels.company_id = assigned.company_id AND labels.id = assigned.label_id
    WHERE assigned.company_id = ${parameters.get('company')} AND type = 'ticket' AND assigned.id = ${parameters.get('id')}
    ORDER BY name`,
  '/label-records': (parameters) => sql`
    SELECT type, id FROM label_assignments
    WHERE company_id = ${parameters.get('company')} AND label_id = ${parameters.get('label')} AND type = 'ticket'
    ORDER BY number DESC LIMIT 10`,
  '/orders': (parameters) => sql`
    SELECT id, company_id, number, bill_to_id, payment_id, start_at, end_at, method, status, currency, tax_rate, details, sub_total,
           tax, total, metadata, created_at, updated_at
    FROM invoices WHERE company_id = ${parameters.get('company')} ORDER BY start_at DESC, id DESC LIMIT 10`,
  '/cards': (parameters) => sql`
    SELECT cards.*, addresses.* FROM cards JOIN addresses ON addresses.company_id = cards.company_id AND addresses.id = cards.address_id
    WHERE cards.company_id = ${parameters.get('company')} AND cards.deleted_at IS NULL ORDER BY cards.id DESC`,
  '/addresses': (parameters) => sql`
    SELECT * FROM addresses WHERE company_id = ${parameters.get('company')} AND deleted_at IS NULL ORDER BY id DESC`,
  '/billing-information': (parameters) => sql`
    SELECT billing_information.*, cards.id AS card_id, cards.method, balance_minor, currency
    FROM billing_information
    LEFT JOIN credit_balances ON credit_balances.company_id = billing_information.company_id
    LEFT JOIN cards ON cards.company_id = billing_information.company_id AND is_default AND deleted_at IS NULL
    WHERE billing_information.company_id = ${parameters.get('company')}`,
};

/** An update of one row that extends a session. */
async function updateSession(parameters: URLSearchParams): Promise<unknown> {
  return sql`
    UPDATE sessions SET refreshed_at = refreshed_at, expires_at = now() + interval '30 days'
    WHERE id = ${parameters.get('id')} RETURNING id`;
}

async function readBody(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** One row, committed alone. */
async function insertUsage(request: IncomingMessage): Promise<unknown> {
  const { subject = '', time = '', source = '', id = '' } = await readBody(request);
  return sql`
    INSERT INTO usage_twin (company_id, stored_at, digest, happened_at, quantity, path, source, event)
    VALUES (${subject}, now(), ${randomUUID()}, ${time}, 1, '/v1/service', ${source}, ${id})`;
}

async function insertLabel(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  return sql`
    INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color)
    VALUES (${body.companyId ?? ''}, ${uuidv7()}, ${body.userId ?? ''}, ${body.userName ?? ''}, ${body.userName ?? ''},
            ${body.name ?? ''}, ${body.description ?? ''}, ${body.color ?? ''})
    RETURNING *`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor');
  if (pathname === '/hook') return receive(request, response);
  if (pathname === '/session') request.resume();
  const query = QUERIES[pathname];
  const write = { '/session': () => updateSession(searchParams), '/usage': () => insertUsage(request) }[pathname];
  const rows = await (write?.() ?? (request.method === 'POST' ? insertLabel(request) : query?.(searchParams)));
  const text = JSON.stringify(rows);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

/** A receiver of webhooks that takes whatever comes. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _chunk of request);
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => process.exit(0));
});
