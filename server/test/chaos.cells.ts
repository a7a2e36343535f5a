/** The whole fault matrix: of the charge, of the refund and of the automatic collection. */
import { collectionCells } from './chaos.collection.ts';
import { gatewayCells } from './chaos.gateway.ts';
import { killCells } from './chaos.kills.ts';
import { postgresCells } from './chaos.postgres.ts';
import { raceCells } from './chaos.races.ts';
import { refundKillCells, refundOrderKillCells } from './chaos.refunds.kills.ts';
import { refundCells, refundOrderCells } from './chaos.refunds.ts';
import { restoreCells } from './chaos.restore.ts';
import type { ChaosGateway } from './chaos.stand-ins.ts';
import type { Cell } from './chaos.ts';

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
