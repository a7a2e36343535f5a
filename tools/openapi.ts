/**
 * `npm run openapi` writes docs/openapi.json, which the service serves at /openapi.json, and the generated files of packages/client. The
 * service is assembled but not started, so neither a database nor a gateway is needed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../server/src/app.ts';
import { openChargesHold } from '../server/src/continuity/hold/charges-hold.service.ts';
import { rememberExternalIds } from '../server/src/customers/companies/external-ids/external-ids.service.ts';
import { EVENT_DATA } from '../server/src/features.ts';
import { createGateways, GATEWAYS } from '../server/src/gateways/gateways.ts';
import { createSandboxGateway } from '../server/src/gateways/sandbox/sandbox.gateway.ts';
import { confirmationsOf } from '../server/src/payments/links/confirmations.ts';
import { systemClock } from '../server/src/platform/calendar/clock.ts';
import { readConfig } from '../server/src/platform/config/config.ts';
import { connect } from '../server/src/platform/database/pool.ts';
import { openKeyring } from '../server/src/platform/keys/keys.ts';
import { generateClient } from './client/generate.ts';
import { writeMethods } from './client/methods.ts';

const path = join(import.meta.dirname, '../docs/openapi.json');
const dataDirectory = mkdtempSync(join(tmpdir(), 'paydesk-openapi-'));
try {
  const config = readConfig(GATEWAYS, { DATA_DIR: dataDirectory });
  const db = connect({ target: 'postgres://127.0.0.1:1/none', poolSize: 1, serverVersion: 180_000 });
  const sandbox = createSandboxGateway({ baseUrl: 'http://127.0.0.1:1', secret: 'none' });
  const keyring = openKeyring(dataDirectory);
  const gateways = createGateways([sandbox], confirmationsOf({ config, keyring }));
  const logger = pino({ level: 'error' });
  const { server } = await buildApp({
    config,
    db,
    journal: null,
    metricsDb: db,
    keyring,
    gateways,
    clock: systemClock,
    logger,
    chargesHold: openChargesHold(config, db, systemClock()),
    externalIds: rememberExternalIds(db),
    eventData: EVENT_DATA,
  });
  const { payload, statusCode } = await server.inject({ url: '/openapi.json' });
  await Promise.all([server.close(), db.end()]);
  if (statusCode !== 200) throw new Error(`The service answered ${statusCode}: ${payload}`);
  writeFileSync(path, payload);
  for (const [name, text] of Object.entries(generateClient(JSON.parse(payload)))) {
    writeFileSync(join(import.meta.dirname, '../packages/client/src/calls', name), text);
  }
  const readme = join(import.meta.dirname, '../packages/client/README.md');
  writeFileSync(readme, writeMethods(readFileSync(readme, 'utf8'), JSON.parse(payload)));
  console.log(`docs/openapi.json: ${Object.keys(JSON.parse(payload).paths).length} paths`);
} finally {
  rmSync(dataDirectory, { recursive: true });
}
