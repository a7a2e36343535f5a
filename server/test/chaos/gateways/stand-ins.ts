/** What the fault matrix needs to know about a gateway. */
import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { TestFolder } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { IBANS } from '../../customers/card-setups.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';

export type ChaosGateway = {
  name: string;
  /** Starts the stand-in with the books that an earlier one left in this folder, if any. */
  spawn: (folder: TestFolder, port?: number) => Promise<StandIn>;
  /** Returns the environment variables with which an API process uses it. */
  environmentOf: (standIn: StandIn) => Record<string, string>;
  /** A second gateway, for cards, if it takes none. It has to be there where all gateways are asked. */
  beside?: ChaosGateway;
  /** Gives a company a card or an account: one that pays, or one that is declined when it is charged. */
  addSource: (create: CreateForCompany, answer: SourceAnswer, standIn: StandIn) => Promise<void>;
  /**
   * Answers what the bank asks in place of the customer; omitted if no payment waits there. False if nothing waits for the answer, or no
   * longer.
   */
  answerBank?: (standIn: StandIn, clientSecret: string, outcome: 'succeed' | 'fail') => Promise<boolean>;
  /** The gateway events about an object, the oldest first, as they are sent; omitted if it sends none here. */
  eventsOf?: (standIn: StandIn, object: string) => Promise<SentEvent[]>;
  /** The changes to a card's invoice with which it can be paid from such a source. */
  invoiceChanges: object;
  /** The bank's reason when it declines the source. */
  declineCode: string;
  /** The gateway call with which the reconciler checks a refund. */
  refundCheck: GatewayOperation;
  /** The gateway call that reads the payment before a refund. Omitted if there is no such call. */
  refundOrder?: GatewayOperation;
  /** Returns whether a cell does not exist for this gateway. */
  omits?: (cell: { fault: string; step: string }) => boolean;
};

/** How a charge of a source ends. A bank that asks pays once it is answered, or refuses even then. */
export type SourceAnswer =
  | 'pays'
  | 'refuses'
  | 'asks'
  | 'asks and refuses'
  | 'a debit that settles'
  | 'a debit that comes back';
/** Creates something as the company's admin at this path below `/payments`. @returns what was created */
export type CreateForCompany = (path: string, body: object) => Promise<{ id: string; clientSecret?: string }>;
export type SentEvent = { path: string; headers: Record<string, string>; body: unknown };

/** Whether the source pays by direct debits, in EUR. */
export function isDebit(answer: SourceAnswer): answer is keyof typeof DEBITED {
  return answer in DEBITED;
}

/** Accounts whose debits end when a test wants it. */
export const DEBITED = {
  'a debit that settles': IBANS.settlesLater,
  'a debit that comes back': IBANS.failsLater,
} as const;
