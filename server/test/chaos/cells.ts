/** The whole fault matrix: of the charge, of the refund and of the automatic collection. */

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
  /** For one whose process brings its server along. */
  embedded: Cell[];
  /** For one whose database is put back. */
  restored: Cell[];
  /** For one whose standby is promoted. */
  promoted: Cell[];
};

/** All of them that exist with a gateway. */
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
