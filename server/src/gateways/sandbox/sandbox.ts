import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../../platform/config/start-error.ts';
import type { GatewayEntry } from '../gateway/gateway.entry.ts';

/** Null: the sandbox runs in this process. */
export type SandboxSettings = { server: { baseUrl: string; secret: string } | null };

const DATA_FILE = 'sandbox-gateway.db';

/** The sandbox: a gateway with a ledger of its own, where no money moves. It is spoken to over HTTP, also in this process. */
export const sandbox: GatewayEntry<SandboxSettings> = {
  name: 'sandbox',
  methods: ['Card', 'paypal'],
  isReal: false,
  lagSeconds: 60,
  capturesDebtsOnce: false,
  hasDisputes: false,
  hardDeclines: [],
  dataFile: DATA_FILE,

  readSettings({ text, isChosen }, problems) {
    const [baseUrl, secret] = [text('SANDBOX_GATEWAY_URL'), text('SANDBOX_GATEWAY_SECRET')];
    if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
      problems.push('SANDBOX_GATEWAY_URL must be a URL such as http://127.0.0.1:4010');
    }
    if ((baseUrl === undefined) !== (secret === undefined)) {
      problems.push('SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET must be set together');
    }
    if (baseUrl !== undefined && secret !== undefined) return { server: { baseUrl, secret } };
    return isChosen ? { server: null } : null;
  },

  async open({ server }, { config, undo }) {
    const { gatewayTimeoutMs: timeoutMs } = config;
    const { createSandboxGateway } = await import('./sandbox.gateway.ts');
    if (server !== null) return createSandboxGateway({ ...server, timeoutMs });
    if (config.role !== 'all') {
      throw new StartError(
        'With ROLE=api or ROLE=worker, the sandbox gateway must run as its own process that all of them can reach: ' +
          'set SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET.',
      );
    }
    const { startSandboxGateway } = await import('./server/server.ts');
    const secret = randomBytes(32).toString('base64url');
    const ledgerPath = join(config.dataDirectory, DATA_FILE);
    const started = await startSandboxGateway({ ledgerPath, host: '127.0.0.1', port: 0, secret });
    undo.defer(started.close);
    return createSandboxGateway({ baseUrl: started.url, secret, timeoutMs });
  },
};
