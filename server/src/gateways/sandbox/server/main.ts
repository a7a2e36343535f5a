/**
 * Runs the sandbox gateway as a separate process:
 * `node gateways/sandbox/server/main.ts --port 4010 --host 127.0.0.1 --ledger ./sandbox.db --secret-file ./sandbox.secret`
 * It prints one line of JSON with its address when it is ready, and writes its log to standard error.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSandboxGateway } from './server.ts';

const usage = 'Usage: gateways/sandbox/server/main.ts --ledger FILE --secret-file FILE [--host 127.0.0.1] [--port 0]';

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      ledger: { type: 'string' },
      'secret-file': { type: 'string' },
    },
  });
  const { host, port, ledger: ledgerPath, 'secret-file': secretFile } = values;
  if (!ledgerPath || !secretFile || !/^\d{1,5}$/.test(port)) throw new Error(usage);
  return { host, port: Number(port), ledgerPath, secret: readFileSync(secretFile, 'utf8').trim() };
}

try {
  const gateway = await startSandboxGateway({
    ...readOptions(),
    log: (entry) => process.stderr.write(`${JSON.stringify(entry)}\n`),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void gateway.close());
  process.stdout.write(`${JSON.stringify({ url: gateway.url, port: gateway.port })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : usage}\n`);
  process.exitCode = 1;
}
