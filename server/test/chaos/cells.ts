/** The whole fault matrix: of charges, refunds and the automatic collection. */

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
export function cellsOf({ omits = () => false, refundOrder }: ChaosGateway): Cells {
  const ofCharge = [...killCells(), ...gatewayCells(), ...raceCells()];
  const ofOrder = refundOrder === undefined ? [] : [...refundOrderKillCells(refundOrder), ...refundOrderCells()];
  const shared = [...ofCharge, ...refundKillCells(), ...refundCells(), ...ofOrder, ...collectionCells()];
  return {
    shared: shared.filter((cell) => !omits(cell)),
    embedded: postgresCells().filter((cell) => !omits(cell)),
    restored: restoreCells('restore'),
    promoted: restoreCells('promotion'),
  };
}
