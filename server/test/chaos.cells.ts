/** The whole fault matrix: of the charge, of the refund and of the automatic collection. */
import { collectionCells } from './chaos.collection.ts';
import { gatewayCells } from './chaos.gateway.ts';
import { killCells } from './chaos.kills.ts';
import { postgresCells } from './chaos.postgres.ts';
import { raceCells } from './chaos.races.ts';
import { refundKillCells } from './chaos.refunds.kills.ts';
import { refundCells } from './chaos.refunds.ts';
import type { ChaosGateway } from './chaos.stand-ins.ts';
import type { Cell } from './chaos.ts';

/** `shared` for a world of two processes on one database, `embedded` for one whose process brings its server along. */
export function cellsOf({ omits = () => false }: ChaosGateway): { shared: Cell[]; embedded: Cell[] } {
  const ofCharge = [...killCells(), ...gatewayCells(), ...raceCells()];
  const shared = [...ofCharge, ...refundKillCells(), ...refundCells(), ...collectionCells()];
  return {
    shared: shared.filter((cell) => !omits(cell)),
    embedded: postgresCells().filter((cell) => !omits(cell)),
  };
}
