import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { CursorPosition } from '../../read/cursor.ts';
import type { Answer, Endpoint, Streaming } from '../contract/endpoint.ts';
import type { Input } from '../contract/parse-request.ts';
import { restartReadTimeout } from '../server/connections.ts';
import type { Services } from '../services.ts';
import { toServiceError } from './errors.ts';
import type { Metering, ReservedUnits } from './metering.ts';
import type { Metrics } from './metrics.ts';
import { writeQuotaHeaders } from './quota-headers.ts';
import type { StreamFormat } from './stream-formats.ts';

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
}

/** What a stream needs of its endpoint and of the program. */
interface StreamContext {
  readonly endpoint: Endpoint & { readonly streaming: Streaming };
  readonly services: Services;
  readonly metering: Metering;
  readonly metrics: Metrics;
}

/** One streamed response, from its first chunk on. */
interface StreamTarget {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly format: StreamFormat;
  readonly work: StreamWork;
}

/**
 * One streamed list. A chunk is reserved, read, sent and then settled, so at any moment at most one is unpaid or
 * unsent; when the process dies its reservation expires and is refunded.
 */
class ListStream {
  readonly #context: StreamContext;
  readonly #target: StreamTarget;
  /** Units of the next chunk. */
  #units = CHUNK_UNITS;
  /** The reservation of a chunk that is not settled yet. */
  #pending: ReservedUnits | null = null;
  #cost = 0;
  #rows = 0;
  #oldestMs = Number.POSITIVE_INFINITY;
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
    if (this.#unitsOf(first) === 0) await this.#settle(0);
    const hasTrailers = this.#writeHead();
    try {
      raw.writeHead(200);
      const isOpen = await this.#sendChunks(first);
      if (this.#failure !== null) this.#report(this.#failure);
      if (isOpen) await this.#end(first.source, hasTrailers);
    } catch (error) {
      // No response can be sent any more: the connection says that the list is not whole.
      this.#report(toServiceError(error));
      raw.destroy();
      await this.#pending?.settle(0);
    }
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
    const reserved = await this.#reserve(isFirst ? FIRST_UNITS : this.#units, isFirst);
    if (!isFirst) this.#units = reserved.units;
    try {
      const limit = reserved.units * this.#context.endpoint.streaming.rowsPerUnit;
      const { data, next = null, readAtMs, source } = await work.read(after, limit);
      work.admitted();
      this.#pending = reserved;
      return { rows: data as Chunk['rows'], next, readAtMs, source };
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

  async #settle(units: number): Promise<void> {
    const settled = (await this.#pending?.settle(units)) ?? null;
    this.#pending = null;
    if (settled === null) throw EXPIRED;
    this.#cost += settled;
  }

  /** @returns whether the response has trailers: HTTP/1.0 has none, so the last line has the cost too. */
  #writeHead(): boolean {
    const { request, reply, format } = this.#target;
    const { raw } = reply;
    reply.header('content-type', `${format.mediaType}; charset=utf-8`);
    const hasTrailers = raw.useChunkedEncodingByDefault;
    if (hasTrailers) reply.header('trailer', 'X-Request-Cost');
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    if (request.quota !== null) writeQuotaHeaders(reply, request.quota, request.cost);
    reply.hijack();
    return hasTrailers;
  }

  /** Sends chunks to the end of the list. @returns whether the connection is still open. */
  async #sendChunks(first: Chunk): Promise<boolean> {
    const { reply, format } = this.#target;
    const { streaming } = this.#context.endpoint;
    let chunk = first;
    let isOpen = await written(reply.raw, format.head(streaming));
    for (;;) {
      isOpen = isOpen && (await written(reply.raw, format.rows(streaming, chunk.rows)));
      if (isOpen) this.#sent(chunk);
      try {
        if (this.#pending !== null) await this.#settle(isOpen ? this.#unitsOf(chunk) : 0);
        if (this.#resumeAt === null || !isOpen) return isOpen;
        chunk = await this.#readChunk(this.#resumeAt, false);
      } catch (error) {
        this.#failure = toServiceError(error);
        return isOpen;
      }
    }
  }

  #sent({ rows, readAtMs, next }: Chunk): void {
    this.#rows += rows.length;
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

  constructor(endpoint: StreamContext['endpoint'], services: Services, metering: Metering, metrics: Metrics) {
    this.#context = { endpoint, services, metering, metrics };
    this.#measure = metrics.of(endpoint.operation);
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
