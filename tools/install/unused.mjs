/** What packages bring along and nothing here reads: a fourth of what npm installs. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Types and source maps, 130 MB: only editors, `tsc` and debuggers read them. */
const FOR_DEVELOPMENT = /\.(?:d\.[cm]?ts|map)$/;
/** Packages with many fonts, and those that documents are drawn with. */
const FONT = /\.ttf$/;
const DRAWN_WITH = /[\\/](?:NotoSans_400Regular|NotoSans_600SemiBold|DejaVuSans|DejaVuSans-Bold)\.ttf$/;

/** Whether the service and the build of the dashboard do without a file of a package. */
function isUnused(path) {
  return FOR_DEVELOPMENT.test(path) || (FONT.test(path) && !DRAWN_WITH.test(path));
}

/** Removes the files of packages that `isUnused` names. Links are left alone, and what they lead to. */
export function removeUnused(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnused(path);
    else if (entry.isFile() && isUnused(path)) rmSync(path, { force: true });
  }
}

/** Removes Node's C headers, 67 MB. They are only needed to compile modules, and nothing here is compiled. */
export function removeHeaders(modules) {
  const folder = join(modules, 'node', 'node_modules');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((found) => /^node-\w+-\w+$/.test(found))) {
    rmSync(join(folder, name, 'include'), { recursive: true, force: true });
  }
}
