/**
 * Installs the packages if they are missing or older than package-lock.json; otherwise returns at once. It runs before anything is
 * installed, on the Node with which npm was called, so it is plain JavaScript without packages.
 * The installation itself is `npm ci`. This script does what npm does not:
 * - npm would install again each time. This script compares one hash, and accepts an installation that was made with npm by hand.
 * - Two installations in one folder break each other. Here they take turns (`install/turns.mjs`).
 * - npm knows only development packages and others. Here `npm start` omits them, and what only development reads of the others
 *   (`install/unused.mjs`); who has run `npm test` keeps both.
 * - npm empties the folder behind a link, and prints nothing for minutes while it downloads.
 * - npm checks `engines` of the project only as a warning; with `engine-strict` it would refuse Node.js 20 for packages that run on 24.
 * - npm waits minutes for a registry that does not answer (`install/registry.mjs`), and does not report omitted install scripts as an
 *   error.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSilence } from './install/registry.mjs';
import { endTurn, noteNpm, readOrNull, takeTurn } from './install/turns.mjs';
import { removeHeaders, removeUnused } from './install/unused.mjs';

/**
 * Older versions of Node can't read the modules of npm's own install scripts. Older versions of npm install the packages of every platform.
 */
const OLDEST = { node: [20, 10, 0], npm: [9, 6, 7] };
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = join(ROOT, 'node_modules');
const LOCK_FILE = join(ROOT, 'package-lock.json');
/** What npm writes at the end of each installation. */
const RECORD_FILE = join(MODULES, '.package-lock.json');
const HASH_FILE = join(MODULES, '.paydesk-lock-hash');

/** npm's defaults are 10 s and 60 s. */
const QUICK_RETRIES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const PROGRESS_INTERVAL_MS = process.stdout.isTTY ? 500 : 5_000;

/** `npm test` needs the development packages, which have the browser. `npm start` needs what serves and what builds the dashboard. */
const NEEDS_DEVELOPMENT = ['pretest', 'pretest:browser'].includes(process.env.npm_lifecycle_event);
const SIZE = { all: 'some 770 MB', production: 'some 380 MB' };

const PRODUCTION = ' without development packages';
const lockText = readFileSync(LOCK_FILE, 'utf8');
const lockHash = createHash('sha256').update(lockText).digest('hex');
/** What the file of the hash says when the development packages are missing. */
const productionHash = `${lockHash}${PRODUCTION}`;

await main();

async function main() {
  const hash = readOrNull(HASH_FILE);
  if (hash === lockHash || (hash === productionHash && !NEEDS_DEVELOPMENT)) return;
  if (isInstalled()) return;
  const tooOld = findTooOld();
  if (tooOld !== null) {
    fail(tooOld);
    return;
  }
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      'node_modules is a link, and npm would empty the folder behind it for others. Remove the link and start again.',
    );
    return;
  }
  const owner = await takeTurn();
  try {
    if (!isInstalled()) await install();
  } finally {
    endTurn(owner);
  }
}

/**
 * Whether npm last installed what package-lock.json asks for, whoever called npm. Only `npm test` needs the development
 * packages. Stores the hash of a complete installation, with or without them, so that later starts compare only the hash.
 */
function isInstalled({ mayLackOptional } = { mayLackOptional: false }) {
  const record = readOrNull(RECORD_FILE);
  if (record === null || !existsSync(join(MODULES, '.bin', 'node'))) return false;
  const installed = JSON.parse(record).packages;
  const missing = Object.entries(JSON.parse(lockText).packages)
    .filter(([path, wanted]) => path !== '' && wanted.link !== true)
    .filter(
      ([path, { version, integrity }]) =>
        installed[path]?.version !== version || installed[path].integrity !== integrity,
    )
    .map(([, wanted]) => wanted)
    .filter((wanted) => wanted.optional !== true || (!mayLackOptional && isForThisMachine(wanted)));
  const isWhole = missing.length === 0 && !lacksFiles();
  const serves = missing.every(({ dev, devOptional }) => dev || devOptional);
  if (isWhole || serves) writeFileSync(HASH_FILE, isWhole ? lockHash : productionHash);
  return isWhole || (serves && !NEEDS_DEVELOPMENT);
}

/** Whether what only development reads was removed. It stays so when npm is called by hand to add the development packages. */
function lacksFiles() {
  return readOrNull(HASH_FILE)?.endsWith(PRODUCTION) ?? false;
}

/** Whether development packages are installed: whoever has run `npm test` once will run it again. */
function hasDevelopment() {
  const { packages = {} } = JSON.parse(readOrNull(RECORD_FILE) ?? '{}');
  return Object.values(packages).some(({ dev }) => dev);
}

/**
 * Whether npm certainly installs an optional package on this machine. Which C library it has, and what depends on a package, is not known
 * here.
 */
function isForThisMachine({ os, cpu, libc }) {
  return os !== undefined && cpu !== undefined && !libc && os.includes(process.platform) && cpu.includes(process.arch);
}

/** Returns the message that Node or npm is too old to install the packages; null if neither is. */
function findTooOld() {
  const npm = /^npm\/(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
  const tools = { node: process.versions.node, ...(npm === undefined ? {} : { npm }) };
  const names = { node: 'Node.js', npm: 'npm' };
  for (const [tool, version] of Object.entries(tools)) {
    if (!isOlder(version, OLDEST[tool])) continue;
    const advice = tool === 'npm' ? 'Run `npm install -g npm@latest`' : 'Install a newer one (https://nodejs.org)';
    const needed = `${names[tool]} ${OLDEST[tool].join('.')}`;
    return `Paydesk needs ${needed} or newer to install its packages; this is ${version}. ${advice} and start again.`;
  }
  return null;
}

function isOlder(version, oldest) {
  const numbers = version.split(/[.-]/).map(Number);
  const index = oldest.findIndex((number, at) => numbers[at] !== number);
  return index !== -1 && numbers[index] < oldest[index];
}

async function install() {
  const withDevelopment = NEEDS_DEVELOPMENT || hasDevelopment();
  const paths = packagesOfThisMachine(withDevelopment);
  const size = withDevelopment ? SIZE.all : SIZE.production;
  console.log(`Installing ${paths.length} packages into node_modules, ${size} (${reasonToInstall()})…`);
  const silence = await findSilence();
  if (silence !== null) {
    fail(`${silence} Check \`npm config get registry\` and the proxy settings, and start again.`);
    return;
  }
  const endProgress = showProgress(paths);
  const { code, output } = await runNpm(withDevelopment).finally(endProgress);
  if (code !== 0) {
    process.stderr.write(output);
    fail(`Installing the packages failed: npm ended with ${code}. Its message stands above; most often npm cannot reach
its registry (see \`npm config get registry\` and the proxy settings) or the disk is full. Then start again.`);
  } else if (!isInstalled({ mayLackOptional: true })) {
    fail(
      'npm finished, but packages are missing. If `npm config get ignore-scripts` says true, set it to false and start again.',
    );
  } else {
    removeHeaders(MODULES);
    if (!withDevelopment) removeUnused(MODULES);
  }
}

function reasonToInstall() {
  if (!existsSync(RECORD_FILE)) return 'first start only';
  const hash = readOrNull(HASH_FILE);
  return hash === productionHash ? 'the tests need more than the service' : 'they have changed';
}

/** Returns the path of each package that npm installs on this machine. */
function packagesOfThisMachine(withDevelopment) {
  const fits = (wanted, here) => wanted === undefined || wanted.includes(here);
  const library = process.report?.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return (
    Object.entries(JSON.parse(lockText).packages)
      .filter(([path, { link }]) => path !== '' && !link)
      .filter(([, wanted]) => withDevelopment || !wanted.dev)
      .filter(([, { os, cpu }]) => fits(os, process.platform) && fits(cpu, process.arch))
      .filter(([, { libc }]) => fits(libc, library))
      // Packages that an optional package needs are installed only with it, and each is for one platform.
      .filter(([, { os, optional }]) => !optional || os !== undefined)
      .map(([path]) => join(ROOT, path, 'package.json'))
  );
}

/** Shows the progress of the installation: on a terminal in one line that changes, elsewhere in a line now and then. */
function showProgress(paths) {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    const done = paths.filter((path) => existsSync(path)).length;
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    const rest = done < paths.length ? '' : '; unpacking Node.js and PostgreSQL';
    const text = `  ${done} of ${paths.length} packages after ${seconds} s${rest}`;
    process.stdout.write(process.stdout.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
  }, PROGRESS_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  };
}

/** Runs `npm ci` with the npm that started this script, on its Node, because `npm ci` replaces the project's own Node. */
function runNpm(withDevelopment) {
  const { npm_execpath: npmPath = '', npm_node_execpath: nodePath = process.execPath } = process.env;
  const parameters = ['ci', '--no-fund', '--no-audit', '--loglevel=error', ...QUICK_RETRIES];
  // Whatever NODE_ENV and the settings of npm say.
  parameters.push(withDevelopment ? '--include=dev' : '--omit=dev');
  const isNpm = /npm-cli\.c?js$/.test(npmPath);
  const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = isNpm ? spawn(nodePath, [npmPath, ...parameters], options) : spawn('npm', parameters, options);
  if (child.pid !== undefined) noteNpm(child.pid);
  // A signal that ends the start also ends the installation. The next start installs again.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: error.message, output }));
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
