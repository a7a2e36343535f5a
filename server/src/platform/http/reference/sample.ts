import { exampleIn, type PathOperation } from './document.ts';

/**
 * A request as a command for a shell that knows `$PAYDESK_URL` (the service's address), `$TOKEN` or `$OPERATOR_KEY`,
 * and the ids of the path: `{card_id}` is `$CARD_ID`.
 */
export function curlSample({ method, path, operation }: PathOperation): string {
  const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`);
  const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = required.map(({ name, schema }) => `${name}=${schema.examples?.[0] ?? ''}`).join('&');
  const [security] = operation.security;
  const credential = security === undefined ? undefined : 'operatorKey' in security ? '$OPERATOR_KEY' : '$TOKEN';
  const body = operation.requestBody?.content['application/json'];
  const example = body && exampleIn(body);
  const options = `${answersFile(operation) ? '-OJ ' : ''}${method === 'GET' ? '' : `-X ${method} `}`;
  return [
    `curl ${options}"$PAYDESK_URL${address}${query === '' ? '' : `?${query}`}"`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer ${credential}"`]),
    ...(example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(example, null, 2))}`]),
  ].join(' \\\n  ');
}

/** Whether the answer is a file, which curl saves under the name that it comes with. */
function answersFile({ responses }: PathOperation['operation']): boolean {
  return Object.values(responses[200]?.content ?? {}).some(({ schema }) => schema.format === 'binary');
}

/** A text in single quotes, in which a shell changes nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
