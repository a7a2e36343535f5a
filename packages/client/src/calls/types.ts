/** How an operation of the API is sent. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its ids in braces: `/labels/{label_id}`. */
  path: string;
  /** The credential that it needs, if any. */
  credential?: 'accessToken' | 'operatorKey';
  takesBody?: true;
  takesQuery?: true;
  /** Whether the refresh token may be in a cookie instead of the body. */
  takesSession?: true;
  /** Whether it takes an `Idempotency-Key`, with which a repeat has no further effect. */
  takesKey?: true;
  /** Whether a repeat has no further effect although the operation takes no key. */
  isRepeatable?: true;
  /** The media type of an array as the body, if it differs from that of a single object. */
  batchMediaType?: string;
  /** The parameter for the next page of a list; `whole` if there is only one page. */
  list?: 'page' | 'current_page' | 'cursor' | 'whole';
  /** The type of the answer. By default it is JSON or empty. */
  answer?: 'text' | 'bytes';
};

/** Options of a single call. */
export type RequestOptions = {
  /**
   * The idempotency key, by default a random UUID. A repeat with the same key within 24 hours gets the first answer.
   */
  idempotencyKey?: string;
  /** Aborts the call, also while it waits for its next attempt. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** The time limit of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** The time limit of all attempts and the waits between them, in milliseconds. */
  totalTimeoutMs?: number;
  /** How many attempts may follow the first one. */
  maxRetries?: number;
};

/**
 * A list that is read when it is used. `await` returns its first page, and `for await` every item of every page. Each page is requested
 * when it is needed.
 */
export type List<Item, Page> = Promise<Page> &
  AsyncIterable<Item> & {
    /** Returns every page in turn. */
    pages(): AsyncIterable<Page>;
  };

/** A credential, or a function that returns one for each attempt, for example from a store or by a new login. */
export type Credential = string | (() => string | Promise<string>);

/** An answer that arrived, whatever its status, for logs and metrics. */
export type AnswerInfo = {
  method: string;
  /** With the query, as it was sent. */
  path: string;
  status: number;
  /** The id of the request in the service's log. */
  requestId: string | null;
  /** The number of the attempt that it answers, from 1. */
  attempt: number;
};

/** What a refresh returns. */
export type SessionTokens = {
  accessToken: string;
  /** Missing if it is in a cookie. */
  refreshToken?: string;
  /** How many seconds the access token is valid. */
  expiresIn: number;
};

export type PaydeskOptions = {
  /** The address of the service: `https://billing.example.com`. */
  url: string;
  /** For a company's operations: a person's token, from sign-up or login, or a program's API key. */
  accessToken?: Credential | undefined;
  /**
   * From sign-up, login or the last refresh. The client gets the next tokens by itself when the service refuses the access token.
   */
  refreshToken?: string | undefined;
  /** In a browser: the refresh token is in this cookie of the service, which no script can read. */
  session?: 'cookie' | 'console' | 'customer' | 'view' | undefined;
  /** Called with the tokens of each refresh, before they are used: store the refresh token, because the one before works no longer. */
  onRefresh?: (tokens: SessionTokens) => void | Promise<void>;
  /** `opk_…`, for all operations under `paydesk.operator`. Never use it in a browser. Without it, they use the access token, of staff. */
  operatorKey?: Credential | undefined;
  /** The time limit of one attempt in milliseconds; 60 seconds by default. A payment may take 20 seconds. */
  timeoutMs?: number;
  /** The time limit of a call with all its attempts in milliseconds; 120 seconds by default. */
  totalTimeoutMs?: number;
  /** How many attempts may follow the first one; 3 by default. */
  maxRetries?: number;
  /** Called with every answer. */
  onAnswer?: (answer: AnswerInfo) => void;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
};
