import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** A Chromium and what its process needs besides the parameters. */
export type Chromium = { executablePath: string; environment: Record<string, string> };

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/paydesk-chromium');

/** Its archives: the browser, a font, the renderer in software, and the libraries that a small system lacks (NSS, Expat). */
const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];

/** What distributions and vendors call it. */
const NAMES = ['chromium', 'chromium-browser', 'chrome-headless-shell', 'google-chrome', 'google-chrome-stable'];

/** Returns every Chromium that there is, the one of the package first. */
export async function findChromiums(): Promise<Chromium[]> {
  const packaged = isInPackage() ? [await unpack()] : [];
  const ofSystem = await Promise.all(
    (process.env.PATH ?? '')
      .split(delimiter)
      .flatMap((folder) => NAMES.map((name) => join(folder, name)))
      .map(async (path) => ((await isExecutable(path)) ? [{ executablePath: path, environment: {} }] : [])),
  );
  return [...packaged, ...ofSystem.flat()];
}

/** `@sparticuz/chromium` has a browser for Linux with glibc on x64 only. */
function isInPackage(): boolean {
  const header = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return process.platform === 'linux' && process.arch === 'x64' && header.header?.glibcVersionRuntime !== undefined;
}

/**
 * Unpacks the browser of the package, once for each of its versions. The package would unpack it into the temporary folder, and its font
 * settings name one fixed folder: without fonts, the browser ends with SIGTRAP at its first text.
 */
async function unpack(): Promise<Chromium> {
  const archives = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
  const description = await readFile(join(archives, '../package.json'));
  const version = createHash('sha256').update(description).digest('hex').slice(0, 16);
  const folder = join(CACHE, version);
  if (!existsSync(folder)) await unpackInto(folder, archives);
  const fontsFile = join(folder, 'fonts.conf');
  await writeFile(fontsFile, fontSettings(folder));
  return {
    executablePath: join(folder, 'chromium'),
    environment: { FONTCONFIG_FILE: fontsFile, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
  };
}

/** Unpacks beside the folder and renames it into place, so that it is never there in half. */
async function unpackInto(folder: string, archives: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  const staging = `${folder}-${process.pid}`;
  await mkdir(staging, { recursive: true });
  const before = process.env.TMPDIR;
  // The package unpacks there.
  process.env.TMPDIR = staging;
  try {
    await Promise.all(ARCHIVES.map((name) => inflate(join(archives, name))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(staging, folder).catch(async (error: Error) => {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
}

/** One folder of fonts, so that pictures look the same on every machine. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
