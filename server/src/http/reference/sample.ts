import type { PlacedOperation } from './document.ts';

/**
 * A request as a command for a shell that knows `$PAYDESK` (the service's address), `$TOKEN` or `$OPERATOR_KEY`,
 * and the ids of the path: `{card_id}` is `$CARD_ID`.
 */
export function curlSample({ method, path, operation }: PlacedOperation): string {
  const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`);
  const [security] = operation.security;
  const credential = security === undefined ? undefined : 'operatorKey' in security ? '$OPERATOR_KEY' : '$TOKEN';
  const example = operation.requestBody?.content['application/json']?.example;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$PAYDESK${address}"`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer ${credential}"`]),
    ...(example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(example, null, 2))}`]),
  ].join(' \\\n  ');
}

/** A text in single quotes, in which a shell changes nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
