/** Two installations in one folder break each other, even if the first was killed and its npm continues. So they take turns. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * The folder in which processes take turns. It is beside node_modules, which `npm ci` empties, and exists only during
 * an installation.
 */
const TURNS = join(ROOT, '.paydesk-install');
const TURN = join(TURNS, 'turn');
const TURN_MAX_MS = 60 * 60_000;
const TURN_POLL_MS = 200;

/**
 * Waits until no other process installs, then takes the turn. The folder is completed first and then renamed into
 * place, so that it never exists there without the id of its process. @returns the owner of the turn
 */
export async function takeTurn() {
  const owner = `${process.pid}-${Date.now()}`;
  const own = join(TURNS, String(process.pid));
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'owner'), owner);
  for (let isAnnounced = false; !moveTo(own, TURN); isAnnounced = true) {
    if (!isAnnounced) console.log('Waiting for another start that installs the packages…');
    removeLeftTurn();
    await new Promise((resolve) => setTimeout(resolve, TURN_POLL_MS));
  }
  return owner;
}

/**
 * Removes a turn whose processes have ended. The folder to which it is moved has a name made from it and stays until
 * the next turn ends. So if two processes find the same turn, the second one can't remove the turn that came after it.
 */
function removeLeftTurn() {
  const owner = readOrNull(join(TURN, 'owner'));
  if (owner === null) return;
  const [pid, startedAt] = owner.split('-').map(Number);
  const npmPid = Number(readOrNull(join(TURN, 'npm')) ?? pid);
  const isHeld = (isAlive(pid) || isAlive(npmPid)) && Date.now() - startedAt < TURN_MAX_MS;
  if (!isHeld) moveTo(TURN, join(TURNS, `left-${owner}`));
}

/** Ends the turn and removes what dead processes left. */
export function endTurn(owner) {
  if (readOrNull(join(TURN, 'owner')) !== owner || !moveTo(TURN, join(TURNS, `left-${owner}`))) return;
  const isLeft = (name) => name.startsWith('left-') || (/^\d+$/.test(name) && !isAlive(Number(name)));
  for (const name of readdirSync(TURNS).filter(isLeft)) rmSync(join(TURNS, name), { recursive: true, force: true });
  try {
    rmdirSync(TURNS);
  } catch (error) {
    // Among processes that still wait or clean up at the same time, the last one removes it.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Renames a folder. @returns false if the new name is taken or the old one gone */
function moveTo(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT'].includes(error.code)) return false;
    throw error;
  }
}

/** Notes the npm of the turn, which outlives a start that is killed. */
export function noteNpm(pid) {
  writeFileSync(join(TURN, 'npm'), String(pid));
}

export function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
