/** The whole fault matrix: of charges, of those that wait, of refunds and of the automatic collection. */

import type { Cell } from './chaos.ts';
import type { ChaosGateway } from './gateways/stand-ins.ts';
import { collectionCells } from './payments/collection.ts';
import { gatewayCells } from './payments/gateway.ts';
import { killCells } from './payments/kills.ts';
import { postgresCells } from './payments/postgres.ts';
import { raceCells } from './payments/races.ts';
import { refundKillCells, refundOrderKillCells } from './refunds/kills.ts';
import { refundCells, refundOrderCells } from './refunds/refunds.ts';
import { restoreCells } from './restore/restore.ts';
import { waitingActCells } from './waiting/acts.ts';
import { waitingGatewayCells } from './waiting/gateway.ts';
import { waitingKillCells } from './waiting/kills.ts';
import { waitingRaceCells } from './waiting/races.ts';

export type Cells = {
  /** For a world of two processes on one database. */
  shared: Cell[];
  /** For a world whose process starts an embedded database server. */
  embedded: Cell[];
  /** For a world whose database is restored from a backup. */
  restored: Cell[];
  /** For a world whose standby is promoted. */
  promoted: Cell[];
};

/** Returns all cells that exist for a gateway. */
export function cellsOf(gateway: ChaosGateway): Cells {
  const { omits = () => false, refundOrder, answerBank, eventsOf } = gateway;
  const ofCharge = [...killCells(), ...gatewayCells(), ...raceCells()];
  const ofOrder = refundOrder === undefined ? [] : [...refundOrderKillCells(refundOrder), ...refundOrderCells()];
  const ofWaiting = [
    ...[...waitingKillCells(), ...waitingActCells()],
    ...[...waitingGatewayCells(), ...waitingRaceCells(eventsOf !== undefined)],
  ];
  const shared = [
    ...[...ofCharge, ...refundKillCells(), ...refundCells(), ...ofOrder, ...collectionCells(gateway)],
    ...(answerBank === undefined ? [] : ofWaiting),
  ];
  return {
    shared: shared.filter((cell) => !omits(cell)),
    embedded: postgresCells(gateway).filter((cell) => !omits(cell)),
    restored: restoreCells('restore'),
    promoted: restoreCells('promotion'),
  };
}
