/**
 * `npm run dev`: runs the service and restarts it when a file of it changes, builds the dashboard again when one of its files does, and
 * loads its open pages again. The pages are built and served as in production, with the same policies; all that is added is a script
 * that waits for the next build, and the gallery of the controls at /app/gallery. For that, this process listens on the service's port
 * and passes everything else on to the service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, request as openRequest } from 'node:http';
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const DASHBOARD = join(ROOT, 'dashboard');
/** `dashboard/development/follow-builds.ts` waits there. */
const BUILDS = '/app/assets/builds';

// Vite changes NODE_ENV.
const environment = { ...process.env };
const {
  HOST: host = '127.0.0.1',
  PORT: port = '3000',
  PUBLIC_URL: publicUrl = `http://localhost:${port}`,
} = environment;
/** The answers to the open pages. */
const waiting = new Set();

// What is built here is never taken for what a start builds.
rmSync(join(DASHBOARD, 'dist/.sources-hash'), { force: true });
const servicePort = await findFreePort();
createServer((request, response) =>
  request.url === BUILDS ? waitForBuild(response) : passOn(request, response),
).listen(Number(port), host);
runService();
await buildOnChange();

function waitForBuild(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(': waiting\n\n');
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
}

/** While the service starts, the answer is 503: the browser loads a page again by itself, and the client repeats its request. */
function passOn(request, response) {
  const { method, url: path, headers } = request;
  const outgoing = openRequest({ host: '127.0.0.1', port: servicePort, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    answer.pipe(response);
  });
  outgoing.once('error', () => {
    if (!response.headersSent)
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', refresh: '1' });
    response.end('The service starts.\n');
  });
  request.pipe(outgoing);
}

function runService() {
  const parameters = ['--watch', '--watch-preserve-output', join(ROOT, 'server/src/main.ts')];
  const address = { HOST: '127.0.0.1', PORT: String(servicePort), PUBLIC_URL: publicUrl };
  const child = spawn(process.execPath, parameters, { stdio: 'inherit', env: { ...environment, ...address } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 0));
}

async function buildOnChange() {
  const src = join(DASHBOARD, 'development/follow-builds.ts');
  const handler = () => [{ tag: 'script', attrs: { type: 'module', src }, injectTo: 'head' }];
  const watcher = await build({
    configFile: join(DASHBOARD, 'vite.config.ts'),
    mode: 'development',
    logLevel: 'warn',
    plugins: [{ name: 'follow-builds', transformIndexHtml: { order: 'pre', handler } }],
    build: { watch: {}, minify: false, emptyOutDir: true },
  });
  watcher.on('event', ({ code, error }) => {
    if (code === 'ERROR') console.error(error.message);
    if (code !== 'END') return;
    console.log(`Built the dashboard: ${publicUrl}/app and ${publicUrl}/console`);
    for (const response of waiting) response.end('data: built\n\n');
  });
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: found } = server.address();
  server.close();
  return found;
}
