import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { CursorPosition } from '../../read/cursor.ts';
import type { ListCoverage } from '../../read/follows/edges.ts';
import type { Answer, Endpoint, Streaming } from '../contract/endpoint.ts';
import type { Input } from '../contract/parse-request.ts';
import type { Services } from '../services.ts';
import type { Authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { restartReadTimeout } from './connections.ts';
import { toServiceError } from './errors.ts';
import type { Metering, ReservedUnits } from './metering.ts';
import type { Metrics } from './metrics.ts';
import { writeQuotaHeaders } from './quota-headers.ts';
import { coverageHeader, type StreamFormat } from './stream-formats.ts';

/** Units of the first chunk, which is admitted as a request. */
const FIRST_UNITS = 1;
/** Units of a later chunk: few enough that little is unpaid or unsent at any moment, and memory stays flat. */
const CHUNK_UNITS = 10;

const EXPIRED = new ServiceError('service_unavailable', 'The rows took too long to be read.', {
  retryAfterS: 1,
});

/** What ends a stream early because nothing is left to pay with; a smaller chunk may still be paid. */
const SPENT: ReadonlySet<string> = new Set(['budget_exhausted', 'overage_cap_reached', 'wallet_empty']);

/** The work of a streamed request. */
export interface StreamWork {
  readonly input: Input;
  /** Reads rows after a position. */
  read(after: CursorPosition | null, limit: number): Promise<Answer<unknown>>;
  /** Called after each chunk was admitted and read. */
  admitted(): void;
}

/** Writes, and waits until the system has taken it. @returns false if the connection is closed. */
const written = (raw: ServerResponse, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (raw.destroyed || text === '') {
      resolve(!raw.destroyed);
      return;
    }
    const closed = () => resolve(false);
    raw.once('close', closed);
    raw.write(text, (error) => {
      raw.off('close', closed);
      resolve(error == null);
    });
  });

interface Chunk {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next: CursorPosition | null;
  readonly readAtMs: number | null;
  readonly source: Answer<unknown>['source'];
  readonly listCoverage: ListCoverage | undefined;
}

/** What a stream needs of its endpoint and of the program. */
interface StreamContext {
  readonly endpoint: Endpoint & { readonly streaming: Streaming };
  readonly services: Services;
  readonly metering: Metering;
  readonly metrics: Metrics;
  readonly authenticate: Authenticate;
}

/** One streamed response, from its first chunk on. */
interface StreamTarget {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly format: StreamFormat;
  readonly work: StreamWork;
}

/**
 * One streamed list. A chunk is reserved, read, sent unit by unit and then settled, so at any moment at most one is unpaid
 * or unsent; when the process dies its reservation expires and is refunded. A unit is charged once it was handed to the
 * connection, whether or not the caller reads it, and the next one waits until the system has taken it: what is buffered
 * for a caller was admitted, and is paid.
 */
class ListStream {
  readonly #context: StreamContext;
  readonly #target: StreamTarget;
  /** Units of the next chunk. */
  #units = CHUNK_UNITS;
  /** The reservation of a chunk that is not settled yet, and how much of it is due by now. */
  #pending: ReservedUnits | null = null;
  #dueUnits = 0;
  #cost = 0;
  #rows = 0;
  #oldestMs = Number.POSITIVE_INFINITY;
  #coverage: ListCoverage | undefined;
  #failure: ServiceError | null = null;
  #resumeAt: CursorPosition | null;

  constructor(context: StreamContext, target: StreamTarget) {
    this.#context = context;
    this.#target = target;
    this.#resumeAt = target.work.input.after;
  }

  /** Until the first chunk is there, a failure is a response like any other. @throws {ServiceError} */
  async run(): Promise<void> {
    const { raw } = this.#target.reply;
    const first = await this.#readChunk(this.#resumeAt, true);
    // An empty list is free: its headers say so.
    if (this.#unitsOf(first) === 0) await this.#settle();
    const hasTrailers = this.#writeHead(first);
    try {
      raw.writeHead(200);
      const isOpen = await this.#sendChunks(first);
      if (this.#failure !== null) this.#report(this.#failure);
      if (isOpen) await this.#end(first.source, hasTrailers);
    } catch (error) {
      // No response can be sent any more: the connection says that the list is not whole.
      this.#report(toServiceError(error));
      raw.destroy();
      await this.#pending?.settle(this.#dueUnits);
    }
  }

  /** A stream doesn't outlive its key, nor what that may do. @throws {ServiceError} */
  async #recheck(): Promise<void> {
    const { authenticate, endpoint, services } = this.#context;
    const { request } = this.#target;
    const refusal = services.intake.refusal();
    if (refusal !== null) throw refusal;
    const key = await authenticate(request);
    request.caller = key;
    authorize(services.plans, key, endpoint);
  }

  /** Reserves a chunk, or as much of one as can be paid. */
  async #reserve(most: number, isFirst: boolean): Promise<ReservedUnits> {
    const { endpoint, metering } = this.#context;
    for (let units = most; ; units = Math.floor(units / 2)) {
      try {
        return await metering.reserve(this.#target.request, endpoint.operation, units, isFirst);
      } catch (error) {
        if (units === 1 || !(error instanceof ServiceError) || !SPENT.has(error.code)) throw error;
      }
    }
  }

  async #readChunk(after: CursorPosition | null, isFirst: boolean): Promise<Chunk> {
    const { work } = this.#target;
    if (!isFirst) await this.#recheck();
    const reserved = await this.#reserve(isFirst ? FIRST_UNITS : this.#units, isFirst);
    if (!isFirst) this.#units = reserved.units;
    try {
      const limit = reserved.units * this.#context.endpoint.streaming.rowsPerUnit;
      const { data, next = null, readAtMs, source, listCoverage } = await work.read(after, limit);
      work.admitted();
      this.#pending = reserved;
      this.#dueUnits = 0;
      return { rows: data as Chunk['rows'], next, readAtMs, source, listCoverage };
    } catch (error) {
      await reserved.settle(0);
      throw error;
    }
  }

  /** A chunk that only scanned, as a filter matched little, costs as much as such a page. */
  #unitsOf({ rows, next }: Chunk): number {
    const { rowsPerUnit } = this.#context.endpoint.streaming;
    return Math.max(next === null ? 0 : 1, Math.ceil(rows.length / rowsPerUnit));
  }

  /** Charges what was handed to the connection of a chunk, and refunds the rest. */
  async #settle(): Promise<void> {
    const settled = (await this.#pending?.settle(this.#dueUnits)) ?? null;
    this.#pending = null;
    if (settled === null) throw EXPIRED;
    this.#cost += settled;
  }

  /** @returns whether the response has trailers: HTTP/1.0 has none, so the last line has the cost too. */
  #writeHead({ listCoverage }: Chunk): boolean {
    const { request, reply, format } = this.#target;
    const { raw } = reply;
    reply.header('content-type', `${format.mediaType}; charset=utf-8`);
    const hasTrailers = raw.useChunkedEncodingByDefault;
    if (hasTrailers) reply.header('trailer', 'X-Request-Cost');
    if (listCoverage !== undefined) reply.header('x-list-coverage', coverageHeader(listCoverage));
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    if (request.quota !== null) writeQuotaHeaders(reply.raw, request.quota, request.cost);
    reply.hijack();
    return hasTrailers;
  }

  /** Sends chunks to the end of the list. @returns whether the connection is still open. */
  async #sendChunks(first: Chunk): Promise<boolean> {
    const { reply, format } = this.#target;
    let chunk = first;
    let isOpen = await written(reply.raw, format.head(this.#context.endpoint.streaming));
    for (;;) {
      isOpen = isOpen && (await this.#send(chunk));
      try {
        if (this.#pending !== null) await this.#settle();
        if (this.#resumeAt === null || !isOpen) return isOpen;
        chunk = await this.#readChunk(this.#resumeAt, false);
      } catch (error) {
        this.#failure = toServiceError(error);
        return isOpen;
      }
    }
  }

  /** Sends a chunk unit by unit. @returns whether the connection is still open. */
  async #send(chunk: Chunk): Promise<boolean> {
    const { raw } = this.#target.reply;
    const { streaming } = this.#context.endpoint;
    for (let unit = 0; unit < this.#unitsOf(chunk); unit++) {
      if (raw.destroyed) return false;
      this.#dueUnits = unit + 1;
      const rows = chunk.rows.slice(unit * streaming.rowsPerUnit, (unit + 1) * streaming.rowsPerUnit);
      if (!(await written(raw, this.#target.format.rows(streaming, rows)))) return false;
      this.#rows += rows.length;
    }
    this.#sent(chunk);
    return true;
  }

  #sent({ readAtMs, next, listCoverage }: Chunk): void {
    this.#coverage = listCoverage;
    this.#oldestMs = Math.min(this.#oldestMs, readAtMs ?? Number.POSITIVE_INFINITY);
    this.#resumeAt = next;
    restartReadTimeout(this.#target.reply.raw.socket);
  }

  /** The last line says how the stream ended, what it cost, and where it can be resumed. */
  async #end(source: Answer<unknown>['source'], hasTrailers: boolean): Promise<void> {
    const { request, reply, format, work } = this.#target;
    const { endpoint, services } = this.#context;
    const { seal, encode } = services.cursors;
    const nowMs = systemClock.now();
    const ageS = Math.max(0, Math.floor((nowMs - this.#oldestMs) / 1_000));
    const cursorOf = endpoint.sealsCursor === true ? seal : encode;
    const meta = {
      request_id: request.id,
      generated_at: isoOf(nowMs),
      source,
      cache_age_s: Number.isFinite(this.#oldestMs) ? ageS : null,
      rows: this.#rows,
      cost: this.#cost,
      next_cursor: this.#resumeAt === null ? null : cursorOf(work.input.scope, this.#resumeAt),
      ...(this.#coverage === undefined ? {} : { coverage: this.#coverage }),
    };
    const failure = this.#failure;
    const error =
      failure === null
        ? {}
        : { error: { code: failure.code, message: failure.message, request_id: request.id } };
    await written(reply.raw, format.trailer({ ...error, meta }));
    if (hasTrailers) reply.raw.addTrailers({ 'X-Request-Cost': String(this.#cost) });
    reply.raw.end();
  }

  #report(ended: ServiceError): void {
    const { metrics, services } = this.#context;
    metrics.failed(ended.code);
    services.logger.warn(
      { request_id: this.#target.request.id, err: ended.cause ?? ended, code: ended.code, rows: this.#rows },
      'a stream ended early',
    );
  }
}

/** Streams a list in chunks. */
export class Streamer {
  readonly #context: StreamContext;
  readonly #measure: (ms: number) => void;

  constructor(context: StreamContext) {
    this.#context = context;
    this.#measure = context.metrics.of(context.endpoint.operation);
  }

  async stream(
    request: FastifyRequest,
    reply: FastifyReply,
    format: StreamFormat,
    work: StreamWork,
  ): Promise<FastifyReply> {
    await new ListStream(this.#context, { request, reply, format, work }).run();
    this.#measure(performance.now() - request.startedAt);
    return reply;
  }
}
