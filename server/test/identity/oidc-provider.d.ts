/** What is used of the package, which has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> };
  export class Provider {
    constructor(issuer: string, configuration: object);
    Grant: new (of: {
      clientId: string;
      accountId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
