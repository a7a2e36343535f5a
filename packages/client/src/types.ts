/** How an operation of the API is sent. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its ids in braces: `/labels/{label_id}`. */
  path: string;
  /** What it needs; none where it is absent. */
  credential?: 'accessToken' | 'operatorKey';
  takesBody?: true;
  takesQuery?: true;
  /** It takes an `Idempotency-Key`, with which a repeat has no further effect. */
  takesKey?: true;
  /** The media type of a body that is an array, where a single object has another one. */
  batchMediaType?: string;
  /** What names the next page of a list; `whole` when there is none. */
  list?: 'page' | 'current_page' | 'cursor' | 'whole';
  /** What the answer is; JSON, or nothing, where it is absent. */
  answer?: 'text' | 'bytes';
};

/** What a single call may set for itself. */
export type RequestOptions = {
  /** Names the request in place of a random UUID: the same key again gets the first answer, for 24 hours. */
  idempotencyKey?: string;
  /** Ends the call, also while it waits for its next try. It then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** How long one try may take, in milliseconds. */
  timeoutMs?: number;
  /** How long all tries and the waits between them may take, in milliseconds. */
  totalTimeoutMs?: number;
  /** How many tries may follow the first one. */
  maxRetries?: number;
};

/**
 * A list that is not read yet. Awaited, it is its first page; in `for await` it is every item of every page, each page being asked
 * for when it is needed.
 */
export type List<Item, Page> = Promise<Page> &
  AsyncIterable<Item> & {
    /** Every page in turn. */
    pages(): AsyncIterable<Page>;
  };

/** A credential, or what gives one for each try: from a store, or by a new login. */
export type Credential = string | (() => string | Promise<string>);

/** An answer that came, whatever its status: for logs and counts. */
export type AnswerInfo = {
  method: string;
  /** With the query, as it was sent. */
  path: string;
  status: number;
  /** The request's id in the service's log. */
  requestId: string | null;
  /** Which try of the call it answers, from 1. */
  attempt: number;
};

export type PaydeskOptions = {
  /** Where the service is: `https://billing.example.com`. */
  url: string;
  /** A person's, from sign-up or login: for what a company does. */
  accessToken?: Credential | undefined;
  /** `opk_…`, for everything under `paydesk.operator`. Never in a browser. */
  operatorKey?: Credential | undefined;
  /** How long one try may take; 60 seconds without it. A payment may rightly take 20. */
  timeoutMs?: number;
  /** How long a call may take with all its tries; 120 seconds without it. */
  totalTimeoutMs?: number;
  /** How many tries may follow the first one; 3 without it. */
  maxRetries?: number;
  /** Is told of every answer. */
  onAnswer?: (answer: AnswerInfo) => void;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
};
