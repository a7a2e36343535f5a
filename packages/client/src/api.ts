import type { Api } from './calls/api.generated.ts';
import { createList } from './calls/lists.ts';
import { OPERATIONS } from './calls/operations.generated.ts';
import type { Query } from './calls/request.ts';
import type { Send } from './calls/send.ts';
import type { Operation, RequestOptions } from './calls/types.ts';

/** Creates every operation as a method of its resource: `labels.create` sends `POST /labels`. */
export function createApi(send: Send): Api {
  const root: Branch = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const resources = name.split('.');
    const method = resources.pop() ?? '';
    const branch = resources.reduce(descend, root);
    branch[method] = createMethod(operation, send);
  }
  return root as Api;
}

type Method = (...values: unknown[]) => unknown;
type Branch = { [name: string]: Branch | Method };

function descend(branch: Branch, name: string): Branch {
  branch[name] ??= {};
  return branch[name] as Branch;
}

/**
 * Creates a method that takes the ids of the path, the body, the query and the options, as far as the operation has
 * them.
 */
function createMethod(operation: Operation, send: Send): Method {
  const idCount = operation.path.split('{').length - 1;
  return (...values) => {
    const ids = values.slice(0, idCount) as string[];
    const rest = values.slice(idCount);
    const body = operation.takesBody ? rest.shift() : undefined;
    const query = operation.takesQuery ? (rest.shift() as Query | undefined) : undefined;
    const options = rest.shift() as RequestOptions | undefined;
    if (operation.list === undefined) return send(operation, { ids, body, query, options });
    return createList(operation, query ?? {}, (ofPage) => send(operation, { ids, query: ofPage, options }));
  };
}
