/** What the fault matrix has to know of a gateway. */
import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { TestFolder } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';

export type ChaosGateway = {
  name: string;
  /** Starts the stand-in with the books that it left in this folder, if any. */
  spawn: (folder: TestFolder, port?: number) => Promise<StandIn>;
  /** What an API process is told of it. */
  environmentOf: (standIn: StandIn) => Record<string, string>;
  /** Gives a company what is charged: a card or an account that pays, or one that is refused when it is charged. */
  addSource: (create: CreateForCompany, answer: SourceAnswer) => Promise<void>;
  /** What makes of a card's invoice one that is paid with such a source. */
  invoiceChanges: object;
  /** The bank's reason where a source is refused. */
  declineCode: string;
  /** As which call of the gateway the reconciler looks for a refund. */
  refundLook: GatewayOperation;
  /** As which call it is asked about the payment before a refund; left out where the refund alone is asked for. */
  refundOrder?: GatewayOperation;
  /** Cells that do not exist with it. */
  omits?: (cell: { fault: string; step: string }) => boolean;
};

export type SourceAnswer = 'pays' | 'refuses';
/** Creates something as the company's admin at this path below `/payments`; answers with what was created. */
export type CreateForCompany = (path: string, body: object) => Promise<{ id: string }>;
