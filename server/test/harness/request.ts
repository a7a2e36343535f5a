import { Agent, request as openRequest } from 'node:http';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Operation } from '../../src/platform/http/route/operation.ts';

export type Request = {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, with the Content-Type of the headers. */
  rawBody?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer, and fails when it is missing.
  body: any;
  /** With a 5xx: what the service logged about the request. */
  log?: string;
};

/**
 * Sends requests to one service, and checks each answer against the operation's declared statuses and schemas.
 * @param logs - everything that the service has logged, a line of JSON each; without it failures show no log
 */
export function createCaller(url: string, operations: readonly Operation[], logs: () => string = () => '') {
  const routes = operations.map((operation) => ({ operation, pattern: patternOf(operation.url) }));
  const routesByMethod = Map.groupBy(routes, ({ operation }): string => operation.method);
  return async (method: string, path: string, request: Request = {}): Promise<Answer> => {
    const { head, text } = await send(`${url}${path}`, method, request).catch((error: Error) => {
      throw new Error(`${method} ${path} got no whole answer: ${error.message}\nlogged last:\n${lastLines(logs())}`);
    });
    const answer: Answer = { ...head, text, body: parse(text) };
    if (answer.status >= 500) answer.log = linesAbout(answer.headers.get('x-request-id'), logs());
    const plainPath = path.split('?', 1)[0] ?? '';
    const ofMethod = routesByMethod.get(method) ?? [];
    // A path without ids comes before one whose id it could be.
    const route =
      ofMethod.find(({ operation }) => operation.url === plainPath) ??
      ofMethod.find(({ pattern }) => pattern.test(plainPath));
    checkAnswer(route?.operation, `${method} ${path}`, answer);
    return answer;
  };
}

function linesAbout(requestId: string | null, logs: string): string {
  const lines = logs.split('\n').filter((line) => requestId !== null && line.includes(requestId));
  return lines.join('\n');
}

function lastLines(logs: string): string {
  return logs.trimEnd().split('\n').slice(-20).join('\n');
}

const agent = new Agent({ keepAlive: true });

/** Uses `node:http`, because `fetch` takes more than twice the time and the tests send tens of thousands of requests. */
function send(
  url: string,
  method: string,
  { token, body, rawBody, headers = {} }: Request,
): Promise<{ head: Pick<Answer, 'status' | 'headers'>; text: string }> {
  const content = body === undefined ? rawBody : JSON.stringify(body);
  const allHeaders = {
    // node:http does not add it to a DELETE.
    ...(content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(url, { agent, method, headers: allHeaders }, (response) => {
      const answered = new Headers();
      for (const [name, values = []] of Object.entries(response.headersDistinct)) {
        for (const value of values) answered.append(name, value);
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ head: { status: response.statusCode ?? 0, headers: answered }, text }));
    });
    outgoing.once('error', reject);
    outgoing.end(content);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fails the test when an answer is not what the API reference says. */
function checkAnswer(operation: Operation | undefined, name: string, answer: Answer): void {
  if (answer.headers.get('x-request-id') === null) throw new Error(`${name} came without X-Request-Id`);
  if (answer.status >= 400) {
    const { error } = answer.body ?? {};
    const whole = typeof error?.code === 'string' && typeof error.message === 'string' && Array.isArray(error.details);
    if (!whole) throw new Error(`${name}: ${answer.status} is not in the one error shape: ${answer.text}`);
    return;
  }
  if (operation === undefined) return;
  const schema = operation.response[answer.status];
  if (schema === undefined) throw new Error(`${name} answered ${answer.status}, which it does not declare`);
  if (schema === null) {
    if (answer.text !== '') throw new Error(`${name} answered ${answer.status} with content`);
  } else if (answer.body !== undefined) {
    const validate = operation.url.startsWith('/operator') ? ofOperator.compile(schema) : ofCompany.compile(schema);
    if (validate(answer.body)) return;
    throw new Error(`${name} answered what its schema does not allow: ${JSON.stringify(validate.errors)}`);
  }
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const ofCompany = compileOnce((object) => object);
/** Beside each id of a company, the operator gets the external one. */
const ofOperator = compileOnce((object) => ({
  ...object,
  required: [...(object.required ?? []), ...('companyId' in object.properties ? ['companyExternalId'] : [])],
}));

type ObjectSchema = { properties: object; additionalProperties?: unknown; required?: string[] };

/** Compiles each schema once for all services of the process, since that takes much longer than a validation. */
function compileOnce(demand: (object: ObjectSchema) => ObjectSchema) {
  const compiled = new WeakMap<object, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile(close(schema, demand));
    compiled.set(schema, validate);
    return validate;
  };
  return { compile };
}

/** Returns the schema with every field refused that it does not name. */
function close(schema: unknown, demand: (object: ObjectSchema) => ObjectSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'x-like' || value?.properties === undefined) return key === 'x-like' ? undefined : value;
      return demand(value.additionalProperties === undefined ? { ...value, additionalProperties: false } : value);
    }),
  );
}

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`);
}
