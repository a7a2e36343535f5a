import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../platform/database/database.ts';
import { insertWriter, recordBeat } from './journal.worker.queries.ts';

/** Who appends to a journal: this process, for as long as its database does not go back. */
export type JournalWriter = {
  /** Names it; the database knows it from then on. */
  id: () => Promise<string>;
  /**
   * Says in the database that the writer still works on it, as of now. A database that does not know the last time has gone back: from then
   * on this process is another writer, so that what it wrote before can be told from what others write.
   */
  beat: () => Promise<void>;
};

/** @param onWentBack - called when the database lacks what this process has written there */
export function createJournalWriter(db: Db, onWentBack: () => void): JournalWriter {
  let writer: Promise<{ id: string; beats: number }> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const register = async () => {
    const id = uuidv7();
    await insertWriter(db, id, new Date());
    return { id, beats: 0 };
  };
  const current = () => {
    writer ??= register().catch((error) => {
      writer = null;
      throw error;
    });
    return writer;
  };
  const beatOnce = async () => {
    const known = await current();
    if (await recordBeat(db, known, new Date())) known.beats += 1;
    else {
      writer = null;
      await current();
      onWentBack();
    }
  };
  return {
    id: async () => (await current()).id,
    // One after the other: two at once would take each other for a database that went back.
    beat: async () => {
      const mine = turn.then(beatOnce);
      turn = mine.catch(() => undefined);
      await mine;
    },
  };
}
