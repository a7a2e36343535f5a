import { type Logger, pino } from 'pino';
import type { Principal, ViewPrincipal } from '../route/types.ts';
import type { AnswerObserver } from './answers.ts';

const LEVEL = 'info';

/**
 * Logs one line per answer, without query string and body, which may hold secrets. The line is written directly in
 * pino's format, because these are most lines and pino checks each field.
 */
export function createAccessLog(logger: Logger): AnswerObserver {
  const stream = Reflect.get(logger, pino.symbols.streamSym) as { write: (line: string) => void };
  const time = Reflect.get(logger, pino.symbols.timeSym) as () => string;
  const level = logger.levels.values[LEVEL];
  return ({ request, reply, route, durationMs }) => {
    if (!logger.isLevelEnabled(LEVEL)) return;
    const { principal, errorCode } = request;
    const error = errorCode === null ? '' : `,"code":"${errorCode}"`;
    const caller = principal === null ? '' : describeCaller(principal);
    stream.write(
      `{"level":${level}${time()},"reqId":${JSON.stringify(request.id)},"method":"${request.method}","route":${JSON.stringify(route)},` +
        `"status":${reply.statusCode}${error},"durationMs":${Math.round(durationMs * 100) / 100}${caller},"msg":"answered"}\n`,
    );
  };
}

/** Also who views the company, as their own requests are logged. */
function describeView({ companyId, sessionId, openedBy }: ViewPrincipal): string {
  const { kind, id, name } = openedBy;
  const opener = kind === 'staff' ? `"userId":"${id}"` : `"operatorKey":${JSON.stringify(name)}`;
  return `,"companyId":"${companyId}","viewId":"${sessionId}",${opener}`;
}

/** Never the credential: the ids of the user and the API key, or the name of the operator key. */
function describeCaller(principal: Principal): string {
  if (principal.kind === 'operator') return `,"operatorKey":${JSON.stringify(principal.keyName)}`;
  if (principal.kind === 'customer_session')
    return `,"companyId":"${principal.companyId}","customerSessionId":"${principal.sessionId}"`;
  if (principal.kind === 'view') return describeView(principal);
  const { companyId, userId } = principal;
  const key = principal.kind === 'api_key' ? `,"apiKeyId":"${principal.keyId}"` : '';
  return `,"companyId":${companyId === null ? null : `"${companyId}"`},"userId":"${userId}"${key}`;
}
