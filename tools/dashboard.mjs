/**
 * Builds the dashboard into dashboard/dist unless that was made from the same sources. It runs before each start and ends before the
 * service serves, so that the memory of the build is not the service's. Each asset gets a Brotli and a gzip version beside it.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dashboard/dist');
const HASH_FILE = join(DIST, '.sources-hash');
const SOURCES = [
  'dashboard/{src/**/*,*}.{ts,tsx,css,html,svg,json}',
  'packages/client/src/**/*.ts',
  'package-lock.json',
];

const hash = hashSources();
if (!isBuilt()) await build();

function isBuilt() {
  return existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash;
}

function hashSources() {
  const total = createHash('sha256');
  for (const path of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort()) {
    total.update(path).update(readFileSync(join(ROOT, path)));
  }
  return total.digest('hex');
}

/** Builds beside the folder and then renames it into place, so that a start that is killed leaves no half of a build. */
async function build() {
  const startedAt = performance.now();
  // A test that starts it says `test`, with which React would keep its checks for development.
  process.env.NODE_ENV = 'production';
  const { build: bundle } = await import('vite');
  const outDir = join(ROOT, `dashboard/dist-${process.pid}`);
  await bundle({
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  await compress(outDir);
  writeFileSync(join(outDir, '.sources-hash'), hash);
  replaceBuild(outDir);
  console.log(`Built the dashboard in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** Of several starts at once, the first to end its build puts it into place, and the others discard theirs. */
function replaceBuild(outDir) {
  while (existsSync(outDir) && !isBuilt()) {
    const left = `${outDir}-left`;
    try {
      if (existsSync(DIST)) renameSync(DIST, left);
      renameSync(outDir, DIST);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    }
    rmSync(left, { recursive: true, force: true });
  }
  rmSync(outDir, { recursive: true, force: true });
}

async function compress(folder) {
  const files = globSync('assets/*.{js,css,svg}', { cwd: folder }).map((name) => join(folder, name));
  await Promise.all(
    files.map(async (file) => {
      const text = readFileSync(file);
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(text, { params: quality }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(text));
    }),
  );
}
