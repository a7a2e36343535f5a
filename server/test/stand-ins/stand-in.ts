/** Runs a gateway's stand-in as a separate process, and controls it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Fault } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { createSandboxControl, type SandboxControl } from '../../src/gateways/sandbox/sandbox.control.ts';
import { testSecret } from '../../src/gateways/sandbox/sandbox.testing.ts';
import { COMPILE_CACHE } from '../harness/compile-cache.ts';

/** The sandbox gateway is one too. */
export type StandIn = {
  url: string;
  port: number;
  /** Injects faults and reads the books, as with the sandbox gateway. */
  control: SandboxControl;
  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<unknown>;
};

type Started = Pick<StandIn, 'url' | 'port' | 'control'>;
type Ready = { url: string; port: number; controlUrl: string };

/**
 * The main function of a stand-in: starts it on `--port` with the books of `--journal`, and its control on another port, and prints both
 * addresses as one line of JSON. `start` gets the port and the journal's path.
 */
export async function runStandIn(
  start: (options: { port: number; journal: string }) => Promise<Started>,
): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, journal: { type: 'string' } } });
  if (values.journal === undefined) throw new Error('Usage: --journal FILE [--port 0]');
  const { url, port, control } = await start({ port: Number(values.port), journal: values.journal });
  const server = createServer(async (request, response) => {
    try {
      const answer = await obey(control, request);
      response.end(JSON.stringify(answer ?? {}, (_key, value) => (typeof value === 'bigint' ? String(value) : value)));
    } catch {
      response.writeHead(500).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ready: Ready = { url, port, controlUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** Handles control requests on the same paths as the sandbox gateway. */
async function obey(control: SandboxControl, request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  switch (`${request.method} ${request.url}`) {
    case 'POST /test/faults':
      return control.armFault(JSON.parse(Buffer.concat(chunks).toString()) as Fault);
    case 'DELETE /test/faults':
      return control.clearFaults();
    case 'DELETE /test/delays':
      return control.endDelays();
    case 'GET /test/faults':
      return control.readFaults();
    case 'GET /test/ledger':
      return control.readLedger();
    case 'DELETE /test/idempotency-keys':
      return control.forgetIdempotencyKeys();
    default:
      throw new Error('There is no such path.');
  }
}

/** Starts the stand-in with this main file, with the books that an earlier one left in the folder, if any. */
export async function spawnStandIn(main: string, folder: { path: string }, port = 0): Promise<StandIn> {
  const parameters = [main, '--port', String(port), '--journal', join(folder.path, 'journal')];
  const child = spawn(process.execPath, parameters, {
    env: { ...process.env, ...COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([firstLine, exited]);
  if (typeof line !== 'string') throw new Error(`The stand-in did not start: ${errors}`);
  const { controlUrl, ...address } = JSON.parse(line) as Ready;
  return {
    ...address,
    control: createSandboxControl({ baseUrl: controlUrl, secret: testSecret }),
    async stop(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
