import { createPaydesk, type Paydesk } from '@paydesk/client';
import { inject } from 'vitest';
import { createSandboxControl, type SandboxControl } from '../../../server/src/gateways/sandbox/sandbox.control.ts';
import type { Db } from '../../../server/src/platform/database/database.ts';
import { connectToEmbedded } from '../../../server/test/harness/process.ts';
import { createCaller } from '../../../server/test/harness/request.ts';
import type { TestService } from '../../../server/test/harness/service.ts';

/** The service of the run. The helpers of `server/test` that only call it take `asTestService`. */
export type SharedService = {
  url: string;
  operatorKey: string;
  /** Of 127.0.0.1, where one story at a time may receive the operator's events. */
  receiverPort: number;
  /** Calls the API with the operator's key. */
  operator: Paydesk['operator'];
  /** Arms faults; they meet every story that runs meanwhile, so arm them for one invoice or card. */
  sandbox: SandboxControl;
  /** Reads and changes what the API does not show, as the owner of the database. */
  database: Db;
  asTestService: TestService;
};

let shared: SharedService | undefined;

/** Connects this worker to the service of the run, once. */
export function useService(): SharedService {
  shared ??= connect();
  return shared;
}

function connect(): SharedService {
  const { url, operatorKey, dataDirectory, receiverPort, sandbox: access } = inject('service');
  const sandbox = createSandboxControl(access);
  const database = connectToEmbedded(dataDirectory);
  const call = createCaller(url, []);
  const asTestService = { url, operatorKey, call, sandbox, database: { owner: database } } as unknown as TestService;
  const { operator } = createPaydesk({ url, operatorKey });
  return { url, operatorKey, receiverPort, operator, sandbox, database, asTestService };
}
