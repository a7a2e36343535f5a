/** The routes of the sandbox gateway: its operations, and those that tests use to arm faults and to read its ledger. */
import type { DatabaseSync } from 'node:sqlite';
import type { Static, TSchema } from 'typebox';
import { matches } from '../../gateway/gateway.shapes.ts';
import * as schema from '../bank/bank.schema.ts';
import * as books from '../bank/books.ts';
import type { FaultBehavior } from '../bank/charges.ts';
import { LedgerRefusal } from '../bank/charges.ts';
import * as ledger from '../bank/ledger.ts';
import * as setups from '../bank/setups.ts';
import type { ArmedFault, Faults } from './faults.ts';
import type { Pending } from './operate.ts';

/** The number of calls of each operation since the start, including those that a fault struck. */
export type CallCounts = Record<schema.GatewayOperation, number>;
/** `pendingEffects` is the number of effects of `executes_late` that have not happened yet. */
export type FaultReport = { calls: CallCounts; pendingEffects: number; faults: ArmedFault[] };
export type RouteContext = { database: DatabaseSync; faults: Faults; counts: CallCounts; pending: Pending };
export type RouteInput = { id: string; body: unknown };

type OperationRoute = {
  operation: schema.GatewayOperation;
  perform(context: RouteContext, input: RouteInput, behavior: FaultBehavior): unknown;
};
/** Faults never strike these. */
type TestRoute = { operation: 'test'; perform(context: RouteContext, input: RouteInput): unknown };
export type Route = OperationRoute | TestRoute;

const routes: readonly (readonly [methodAndPath: RegExp, route: Route])[] = [
  [
    /^POST \/cards$/,
    {
      operation: 'tokenize',
      perform: (context, { body }) => ledger.tokenizeCard(context.database, parse(schema.CardRequest, body)),
    },
  ],
  [
    /^POST \/setups$/,
    {
      operation: 'tokenize',
      perform: (context, { body }) => setups.createSetup(context.database, parse(schema.SetupRequest, body)),
    },
  ],
  [
    /^POST \/setups\/confirm$/,
    {
      operation: 'tokenize',
      perform: (context, { body }) => setups.confirmSetup(context.database, parse(schema.SetupConfirmation, body)),
    },
  ],
  [
    /^POST \/challenges$/,
    {
      operation: 'tokenize',
      perform: (context, { body }) => setups.answerChallenge(context.database, parse(schema.ChallengeAnswer, body)),
    },
  ],
  [
    /^GET \/setups\/([\w-]{1,255})$/,
    { operation: 'find', perform: (context, { id }) => setups.findSetup(context.database, id) },
  ],
  [
    /^POST \/cards\/detach$/,
    {
      operation: 'tokenize',
      perform: (context, { body }) => ledger.detachSource(context.database, parse(schema.DetachRequest, body).token),
    },
  ],
  [
    /^POST \/accounts$/,
    {
      operation: 'tokenize',
      perform: (context, { body }) => ledger.vaultAccount(context.database, parse(schema.AccountRequest, body)),
    },
  ],
  [
    /^POST \/debts$/,
    {
      operation: 'ask',
      perform: (context, { body }) => books.listPaymentsOfDebt(context.database, parse(schema.DebtRequest, body)),
    },
  ],
  [
    /^POST \/payments$/,
    {
      operation: 'create',
      perform(context, { body }, behavior) {
        return ledger.createPayment(context.database, parse(schema.PaymentRequest, body), behavior);
      },
    },
  ],
  [
    /^POST \/payments\/([\w-]{1,255})\/confirm$/,
    {
      operation: 'confirm',
      perform(context, { id, body }, behavior) {
        const request = parse(schema.ConfirmRequest, body);
        return ledger.confirmPayment(context.database, { gatewayPaymentId: id, ...request }, behavior);
      },
    },
  ],
  [
    /^POST \/payments\/([\w-]{1,255})\/cancel$/,
    { operation: 'cancel', perform: (context, { id }) => ledger.cancelPayment(context.database, id) },
  ],
  [
    /^GET \/payments\/([\w-]{1,255})$/,
    { operation: 'find', perform: (context, { id }) => ledger.findPayment(context.database, id) },
  ],
  [
    /^POST \/refunds$/,
    {
      operation: 'refund',
      perform(context, { body }, behavior) {
        return ledger.refundPayment(context.database, parse(schema.RefundRequest, body), behavior);
      },
    },
  ],
  [
    /^GET \/payments\/([\w-]{1,255}\/refunds\?[^ ]{1,500})$/,
    {
      operation: 'find',
      perform(context, { id: path }) {
        const [gatewayPaymentId = '', query] = path.split('/refunds?');
        const { reference } = parse(schema.RefundQuery, readQuery(query));
        return ledger.findRefund(context.database, gatewayPaymentId, reference);
      },
    },
  ],
  [
    /^GET \/payments\/([\w-]{1,255})\/refunds$/,
    { operation: 'list', perform: (context, { id }) => books.listRefundsOf(context.database, id) },
  ],
  [
    /^GET \/payments\?([^ ]{1,500})$/,
    {
      operation: 'list',
      perform: (context, { id }) => books.listPayments(context.database, parse(schema.BookQuery, readQuery(id))),
    },
  ],
  [
    /^GET \/refunds\?([^ ]{1,500})$/,
    {
      operation: 'list',
      perform: (context, { id }) => books.listRefunds(context.database, parse(schema.BookQuery, readQuery(id))),
    },
  ],
  [
    /^GET \/disputes\?([^ ]{1,500})$/,
    {
      operation: 'list',
      perform: (context, { id }) => books.listDisputes(context.database, parse(schema.BookQuery, readQuery(id))),
    },
  ],
  [
    /^GET \/disputes\/([\w-]{1,255})$/,
    { operation: 'find', perform: (context, { id }) => books.findDispute(context.database, id) },
  ],
  [
    /^POST \/test\/faults$/,
    { operation: 'test', perform: (context, { body }) => context.faults.arm(parse(schema.Fault, body)) },
  ],
  [/^GET \/test\/faults$/, { operation: 'test', perform: reportFaults }],
  [/^DELETE \/test\/faults$/, { operation: 'test', perform: (context) => context.faults.clear() }],
  [/^DELETE \/test\/delays$/, { operation: 'test', perform: endDelays }],
  [/^GET \/test\/ledger$/, { operation: 'test', perform: (context) => ledger.readLedger(context.database) }],
  [
    /^DELETE \/test\/idempotency-keys$/,
    { operation: 'test', perform: (context) => ledger.forgetIdempotencyKeys(context.database) },
  ],
];

/** Finds the route of a request and the id in its path, or null. */
export function findRoute(method: string, path: string): { route: Route; id: string } | null {
  for (const [methodAndPath, route] of routes) {
    const match = methodAndPath.exec(`${method} ${path}`);
    if (match) return { route, id: match[1] ?? '' };
  }
  return null;
}

/** Creates counts of 0 for all operations. */
export function createCallCounts(): CallCounts {
  return Object.fromEntries(schema.gatewayOperations.map((operation) => [operation, 0])) as CallCounts;
}

function reportFaults({ faults, counts, pending }: RouteContext): FaultReport {
  return { calls: counts, pendingEffects: pending.lateEffects.count(), faults: faults.list() };
}

/** Everything that they delay here is done at once. */
function endDelays({ pending, database }: RouteContext): void {
  books.endDebits(database);
  void pending.latencies.endAll();
  void pending.lateEffects.endAll();
}

function readQuery(query: string | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Validates a value. The refusal does not describe the error, because the value may be card data. */
function parse<Shape extends TSchema>(shape: Shape, body: unknown): Static<Shape> {
  if (!matches(shape, body)) throw new LedgerRefusal(422, 'invalid_request');
  return body;
}
