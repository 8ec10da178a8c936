/** A client of a Sightline service, for browsers, Node, Deno, Bun and workers. */

import { type ErrorCode, OPERATIONS, type Operations } from './operations.ts';

export type * from './operations.ts';

export interface SightlineOptions {
  /** The key that the operator of the service issued: `slk_…`. */
  readonly key: string;
  /** The address of the service; `http://127.0.0.1:8080` by default, where the demo listens. */
  readonly url?: string;
  /** Units that this client may spend. A call that could spend more is not sent. */
  readonly maxUnits?: number;
  /** Told of each answer: what it cost, and what is left. */
  readonly onUsage?: (usage: Usage, operation: keyof Operations) => void;
  /** How often a call is repeated; 4 by default. */
  readonly retries?: number;
  /** The longest `Retry-After` in seconds that is waited for; 60 by default. */
  readonly maxWaitS?: number;
  /** How long an attempt may take, in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** How it waits between attempts; tests of yours may not wait at all. */
  readonly sleep?: (seconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For POST: repeats of a call with the same key are carried out and charged once. One is made for each call without it. */
  readonly idempotencyKey?: string;
}

/** What an answer says of your usage. Values that it does not say are null. */
export interface Usage {
  /** Units charged for the request. */
  readonly cost: number;
  readonly plan: string | null;
  readonly quota: {
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly reset: string;
  } | null;
  /** Whether the wallet pays for units past the quota, units it paid for, and dollars left. */
  readonly overage: { readonly state: string; readonly used: number; readonly balance: string | null } | null;
}

/** An answer with all that came with it. */
export interface Answer<Data, Meta> {
  readonly data: Data;
  /** Where the data is from, how old it is, and when each value was measured. */
  readonly meta: Meta;
  readonly headers: Headers;
  readonly usage: Usage;
}

export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** The service refused a call. Errors are free of charge. */
export class SightlineError extends Error {
  override readonly name = 'SightlineError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  /** Seconds until the call may be repeated; null if that is unknown. */
  readonly retryAfterS: number | null;

  constructor(status: number, body: unknown, retryAfterS: number | null) {
    const {
      code = 'internal',
      message = `The service answered ${status}.`,
      request_id = null,
      details = [],
    } = (
      body as {
        error?: { code?: string; message?: string; request_id?: string; details?: ErrorDetail[] };
      } | null
    )?.error ?? {};
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = request_id;
    this.details = details;
    this.retryAfterS = retryAfterS;
  }

  /** Whether it says something of what was asked for: that there is none, or that it can’t be read or computed. */
  get isAnswer(): boolean {
    return this.status === 404 || this.status === 422;
  }
}

/** No whole answer arrived. A live read may have been charged: it is not repeated. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A call was not sent, since it could spend more than `maxUnits`. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** What a call answers, and null if the service has no such thing, or can’t read or compute it. */
export const orNull = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SightlineError && error.isAnswer) return null;
    throw error;
  }
};

type Page<Name extends keyof Operations> = Answer<
  readonly Operations[Name]['data'][],
  Operations[Name]['meta']
>;

/** The items of a list, over all of its pages. */
export interface List<Name extends keyof Operations> extends AsyncIterable<Operations[Name]['data']> {
  /** Page by page, each with what came with it. */
  pages(): AsyncIterable<Page<Name>>;
}

type Parameters<Name extends keyof Operations> = Operations[Name]['parameters'];

type Arguments<P> =
  Record<never, never> extends P
    ? [parameters?: P, options?: CallOptions]
    : [parameters: P, options?: CallOptions];

type Calls = {
  readonly [Name in keyof Operations]: (
    ...args: Arguments<Parameters<Name>>
  ) => Operations[Name]['isList'] extends true ? List<Name> : Promise<Operations[Name]['data']>;
};

type RawCalls = {
  readonly [Name in keyof Operations]: (
    ...args: Arguments<
      Parameters<Name> & (Operations[Name]['isList'] extends true ? { readonly cursor?: string } : unknown)
    >
  ) => Promise<
    Operations[Name]['isList'] extends true
      ? Page<Name>
      : Answer<Operations[Name]['data'], Operations[Name]['meta']>
  >;
};

type Values = Readonly<Record<string, unknown>>;

interface Whole {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Units that are kept for a call. */
interface Hold {
  readonly units: number;
  kept: number;
}

const RETRIES = 4;
const MAX_WAIT_S = 60;
const TIMEOUT_MS = 60_000;
const FIRST_WAIT_S = 0.5;
const ROWS_PER_UNIT = 100;
const DEFAULT_ROWS = 25;

/** Nothing was sent: such a call can be repeated whatever it costs. */
const isUnsent = ({ cause }: ConnectionError): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(
    (cause as { cause?: { code?: string } }).cause?.code ?? '',
  );

/** @throws {ConnectionError} if it does not arrive. */
const arrived = async <T>(name: string, awaited: Promise<T>): Promise<T> => {
  try {
    return await awaited;
  } catch (error) {
    throw new ConnectionError(`${name} got no whole answer: ${(error as Error).message}`, { cause: error });
  }
};

const numberIn = (headers: Headers, name: string): number => Number(headers.get(name) ?? 0);

/** Null also of a date, which proxies may send. */
const retryAfterIn = (headers: Headers): number | null => {
  const value = headers.get('retry-after') ?? '';
  return /^\d+$/.test(value) ? Number(value) : null;
};

const usageIn = (headers: Headers): Usage => ({
  cost: numberIn(headers, 'x-request-cost'),
  plan: headers.get('x-plan'),
  quota: headers.has('x-quota-limit')
    ? {
        limit: numberIn(headers, 'x-quota-limit'),
        used: numberIn(headers, 'x-quota-used'),
        remaining: numberIn(headers, 'x-quota-remaining'),
        reset: headers.get('x-quota-reset') ?? '',
      }
    : null,
  overage: headers.has('x-overage')
    ? {
        state: headers.get('x-overage') ?? '',
        used: numberIn(headers, 'x-overage-used'),
        balance: headers.get('x-wallet-balance'),
      }
    : null,
});

const sleep = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });

class Client {
  /** The same functions, with all that came with an answer; of a list, one page. */
  readonly raw: RawCalls;
  readonly #options: SightlineOptions;
  readonly #url: string;
  #spent = 0;
  /** Units that are kept for calls on their way. */
  #kept = 0;
  #costs: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(options: SightlineOptions) {
    this.#options = options;
    this.#url = `${(options.url ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')}/v2`;
    const raw: Record<string, unknown> = {};
    for (const name of Object.keys(OPERATIONS) as (keyof Operations)[]) {
      const call = (parameters: Values = {}, callOptions: CallOptions = {}) =>
        this.#answer(name, parameters, callOptions);
      raw[name] = call;
      const [, , , isList] = OPERATIONS[name];
      Object.defineProperty(this, name, {
        enumerable: true,
        value: isList
          ? (parameters: Values = {}, callOptions: CallOptions = {}) =>
              listOf((cursor) => call({ ...parameters, ...cursor }, callOptions))
          : async (...args: [Values?, CallOptions?]) => (await call(...args)).data,
      });
    }
    this.raw = raw as RawCalls;
  }

  /** Units that this client was charged. */
  get spent(): number {
    return this.#spent;
  }

  async #answer(
    name: keyof Operations,
    parameters: Values,
    options: CallOptions,
  ): Promise<Answer<unknown, unknown>> {
    const hold = { units: await this.#units(name, parameters), kept: 0 };
    this.#keep(name, hold);
    try {
      const { status, headers, body } = await this.#whole(name, parameters, options, hold);
      if (status === 200)
        return { ...(body as { data: unknown; meta: unknown }), headers, usage: usageIn(headers) };
      throw new SightlineError(status, body, retryAfterIn(headers));
    } finally {
      this.#move(hold, -hold.kept);
    }
  }

  /** Units that a call can cost, if that matters. */
  async #units(name: keyof Operations, parameters: Values): Promise<number> {
    const [, , meter, isList, items] = OPERATIONS[name];
    if (this.#options.maxUnits === undefined || meter === 'free') return 0;
    this.#costs ??= this.#readCosts().catch((error) => {
      this.#costs = undefined;
      throw error;
    });
    const cost = (await this.#costs).get(name) ?? 0;
    const rows = isList ? Math.ceil(Number(parameters.limit ?? DEFAULT_ROWS) / ROWS_PER_UNIT) : 1;
    const listed = items === null ? null : parameters[items[0]];
    return cost * (items === null ? rows : Array.isArray(listed) ? listed.length : items[1]);
  }

  /** Keeps all units that a call can cost. @throws {BudgetError} if they are not left. */
  #keep(name: keyof Operations, hold: Hold): void {
    const { maxUnits = Number.POSITIVE_INFINITY } = this.#options;
    const wanted = hold.units - hold.kept;
    const left = maxUnits - this.#spent - this.#kept;
    if (wanted > left)
      throw new BudgetError(`${name} can cost ${wanted} units, and ${left} of ${maxUnits} are left.`);
    this.#move(hold, wanted);
  }

  #move(hold: Hold, units: number): void {
    hold.kept += units;
    this.#kept += units;
  }

  async #readCosts(): Promise<ReadonlyMap<string, number>> {
    const { data } = await this.raw.getCapabilities();
    return new Map(data.endpoints.map(({ operation, cost }) => [operation, cost ?? 0]));
  }

  /** The last of a call’s attempts, as it was answered. */
  async #whole(
    name: keyof Operations,
    parameters: Values,
    { signal, idempotencyKey = crypto.randomUUID() }: CallOptions,
    hold: Hold,
  ): Promise<Whole> {
    const [method, path, meter] = OPERATIONS[name];
    const { retries = RETRIES, maxWaitS = MAX_WAIT_S } = this.#options;
    const request = requestOf(`${this.#url}${path}`, method, parameters);
    if (method === 'POST') request.headers['idempotency-key'] = idempotencyKey;
    const mayRepeat = method === 'POST' || meter !== 'live';
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      let waitS = Math.min(FIRST_WAIT_S * 2 ** attempt, maxWaitS);
      try {
        const whole = await this.#send(name, request, hold, signal);
        const retryAfterS = retryAfterIn(whole.headers);
        if (isLast || !isPassing(whole) || (retryAfterS ?? 0) > maxWaitS) return whole;
        if (retryAfterS !== null) waitS = retryAfterS;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ConnectionError) || isLast || !(mayRepeat || isUnsent(error))) throw error;
      }
      // Clients that failed together don’t come again together.
      await (this.#options.sleep ?? sleep)(waitS * (1 + Math.random() / 4), signal);
      // An attempt that was cut may have been charged, and so may the next.
      if (method === 'GET') this.#keep(name, hold);
    }
  }

  async #send(
    name: keyof Operations,
    { url, ...init }: Request,
    hold: Hold,
    signal: AbortSignal | undefined,
  ): Promise<Whole> {
    const { key, timeoutMs = TIMEOUT_MS, onUsage } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await arrived(
      name,
      (this.#options.fetch ?? fetch)(url, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${key}` },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      }),
    );
    // Charged once it is sent, whether or not it arrives whole.
    const usage = usageIn(response.headers);
    this.#spent += usage.cost;
    this.#move(hold, -Math.min(usage.cost, hold.kept));
    onUsage?.(usage, name);
    const body = await arrived(
      name,
      response.text().then((text) => (text === '' ? null : JSON.parse(text))),
    );
    return { status: response.status, headers: response.headers, body };
  }
}

/**
 * A client of a Sightline service. It has a function for each operation, named as the operation. A list is iterated.
 *
 * It waits as `Retry-After` says after 429 and 503, and repeats what was cut on its way; a catalog read that was cut costs its unit
 * again. A POST is charged once however often it is sent. A live read by GET is not repeated.
 *
 * @throws {SightlineError} if the service refuses a call. @throws {ConnectionError} if no whole answer arrives.
 * @throws {BudgetError} if a call could spend more than `maxUnits`.
 */
export const Sightline = Client as unknown as new (options: SightlineOptions) => Sightline;
export type Sightline = Client & Calls;

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Parameters go where the path has them, and the others into the body of a POST or the query. */
const requestOf = (address: string, method: string, parameters: Values): Request => {
  const rest = { ...parameters };
  const path = address.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (method === 'POST') {
    return { url: path, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  return { url: query.size === 0 ? path : `${path}?${query}`, method, headers: {} };
};

/** Whether a refusal passes: also that of a repeated POST whose first attempt is still carried out. */
const isPassing = ({ status, body }: Whole): boolean =>
  status === 429 ||
  status === 503 ||
  (body as { error?: { code?: string } } | null)?.error?.code === 'idempotency_in_flight';

const listOf = (page: (cursor: { readonly cursor?: string }) => Promise<Answer<unknown, unknown>>) => {
  const pages = async function* () {
    let cursor: string | null = null;
    do {
      const answer: Answer<unknown, unknown> = await page(cursor === null ? {} : { cursor });
      yield answer;
      cursor = (answer.meta as { next_cursor?: string | null }).next_cursor ?? null;
    } while (cursor !== null);
  };
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data as readonly unknown[];
    },
  };
};
