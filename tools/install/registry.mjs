import { execFileSync } from 'node:child_process';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect } from 'node:net';

/**
 * How long to wait for any answer of the registry or its proxy. npm 11 gave up on a silent one after six and a half minutes, with
 * `fetch-timeout` at 15 seconds and one retry.
 */
const TIMEOUT_MS = 15_000;

/**
 * Requests any answer from the registry or its proxy. The content does not matter, because only npm has the credentials. @returns the
 * message if nothing answers; null if something does, or if npm is offline
 */
export async function findSilence() {
  const { npm_config_offline: offline, npm_config_prefer_offline: preferOffline } = process.env;
  if (offline === 'true' || preferOffline === 'true') return null;
  const address = process.env.npm_config_registry || askNpm();
  const registry = URL.canParse(address) ? new URL(address) : null;
  const variables = registry?.protocol === 'http:' ? [] : ['npm_config_https_proxy', 'HTTPS_PROXY', 'https_proxy'];
  const proxy = [...variables, 'npm_config_proxy', 'HTTP_PROXY', 'http_proxy']
    .map((name) => process.env[name])
    .find(Boolean);
  if (registry === null && proxy === undefined) return null;
  const silent = await (proxy === undefined ? askRegistry(registry) : reachProxy(new URL(proxy)));
  if (silent === null) return null;
  return `Nothing answers at npm's ${proxy === undefined ? `registry ${registry.origin}` : `proxy ${new URL(proxy).host}`} (${silent}).`;
}

/**
 * Returns npm's registry if it is not in the environment: npm passes its scripts only what differs from its defaults. Empty if npm does not
 * say.
 */
function askNpm() {
  const { npm_execpath: npmPath = '', npm_node_execpath: nodePath = process.execPath } = process.env;
  const [command, ...script] = /npm-cli\.c?js$/.test(npmPath) ? [nodePath, npmPath] : ['npm'];
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync(command, [...script, 'config', 'get', 'registry'], options).trim();
  } catch {
    return '';
  }
}

/** The errors that mean that nothing answers. npm reports all others itself, such as certificates and refusals. */
const NOBODY = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ABORT_ERR',
]);

function askRegistry(registry) {
  const send = registry.protocol === 'https:' ? requestSecure : requestPlain;
  const options = { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS), agent: false };
  return new Promise((resolve) => {
    const request = send(new URL('-/ping', registry), options, (response) => {
      response.resume();
      resolve(null);
    });
    request.on('error', ({ code }) => resolve(NOBODY.has(code) ? nameOf(code) : null)).end();
  });
}

function reachProxy({ hostname, port, protocol }) {
  return new Promise((resolve) => {
    const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname);
    const end = (silent) => {
      socket.destroy();
      resolve(silent);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(nameOf('ABORT_ERR')));
    socket.on('connect', () => end(null)).on('error', ({ code }) => end(NOBODY.has(code) ? code : null));
  });
}

function nameOf(code) {
  return code === 'ABORT_ERR' ? `no answer in ${TIMEOUT_MS / 1_000} s` : code;
}
