import { once } from 'node:events';
import { request as openRequest } from 'node:http';

/** A request whose headers the service has read, and whose body it waits for. @returns the function that sends the body */
export async function beginRequest(
  url: string,
  method: string,
  { token, body }: { token: string; body: object },
): Promise<() => Promise<{ status: number; code: string | undefined }>> {
  const content = JSON.stringify(body);
  const outgoing = openRequest(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(content),
      // The service says so in the same turn in which it begins with the request.
      expect: '100-continue',
    },
  });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  return async () => {
    outgoing.end(content);
    const [response] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode, code: text === '' ? undefined : JSON.parse(text).error?.code };
  };
}
