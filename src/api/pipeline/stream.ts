import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoOf } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { CursorPosition } from '../../read/cursor.ts';
import type { Answer, Endpoint, Streaming } from '../contract/endpoint.ts';
import type { Input } from '../contract/parse-request.ts';
import { restartReadTimeout } from '../server/connections.ts';
import type { Services } from '../services.ts';
import type { Metering, ReservedUnits } from './admission.ts';
import { toServiceError } from './errors.ts';
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
  readonly reserved: ReservedUnits;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next: CursorPosition | null;
  readonly readAtMs: number | null;
  readonly source: Answer<unknown>['source'];
}

/**
 * Streams a list in chunks. A chunk is reserved, read, sent and then settled, so at any moment at most one is unpaid or
 * unsent; when the process dies its reservation expires and is refunded. The last line says how the stream ended, what
 * it cost, and where it can be resumed.
 */
export const createStreamer = (
  endpoint: Endpoint & { readonly streaming: Streaming },
  services: Services,
  metering: Metering,
  metrics: Metrics,
) => {
  const { operation, streaming } = endpoint;
  const measure = metrics.of(operation);
  const encode = endpoint.sealsCursor === true ? services.cursors.seal : services.cursors.encode;

  /** Reserves a chunk, or as much of one as can be paid. */
  const reserve = async (request: FastifyRequest, most: number, isFirst: boolean): Promise<ReservedUnits> => {
    for (let units = most; ; units = Math.floor(units / 2)) {
      try {
        return await metering.reserve(request, operation, units, isFirst);
      } catch (error) {
        if (units === 1 || !(error instanceof ServiceError) || !SPENT.has(error.code)) throw error;
      }
    }
  };

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    format: StreamFormat,
    work: StreamWork,
  ): Promise<FastifyReply> => {
    const { raw } = reply;
    const { input } = work;
    let size = CHUNK_UNITS;
    const readChunk = async (after: CursorPosition | null, isFirst: boolean): Promise<Chunk> => {
      const reserved = await reserve(request, isFirst ? FIRST_UNITS : size, isFirst);
      if (!isFirst) size = reserved.units;
      try {
        const limit = reserved.units * streaming.rowsPerUnit;
        const { data, next = null, readAtMs, source } = await work.read(after, limit);
        work.admitted();
        return { reserved, rows: data as Chunk['rows'], next, readAtMs, source };
      } catch (error) {
        await reserved.settle(0);
        throw error;
      }
    };
    /** A chunk that only scanned, as a filter matched little, costs as much as such a page. */
    const unitsOf = ({ rows, next }: Chunk): number =>
      Math.max(next === null ? 0 : 1, Math.ceil(rows.length / streaming.rowsPerUnit));

    // Until the first chunk is there, a failure is a response like any other.
    let chunk = await readChunk(input.after, true);
    /** The reservation of a chunk that is not settled yet. */
    let pending: ReservedUnits | null = chunk.reserved;
    const settle = async (units: number): Promise<number> => {
      const settled = (await pending?.settle(units)) ?? null;
      pending = null;
      if (settled === null) throw EXPIRED;
      return settled;
    };
    // An empty list is free: its headers say so.
    if (unitsOf(chunk) === 0) await settle(0);
    const { source } = chunk;
    reply.header('content-type', `${format.mediaType}; charset=utf-8`);
    // HTTP/1.0 has no trailers: the last line has the cost too.
    const hasTrailers = raw.useChunkedEncodingByDefault;
    if (hasTrailers) reply.header('trailer', 'X-Request-Cost');
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    if (request.quota !== null) writeQuotaHeaders(reply, request.quota, request.cost);
    reply.hijack();

    let cost = 0;
    let rows = 0;
    let oldestMs = Number.POSITIVE_INFINITY;
    let failure: ServiceError | null = null;
    let resumeAt: CursorPosition | null = input.after;

    /** Sends chunks to the end of the list. @returns whether the connection is still open. */
    const sendChunks = async (): Promise<boolean> => {
      let isOpen = await written(raw, format.head(streaming));
      for (;;) {
        isOpen = isOpen && (await written(raw, format.rows(streaming, chunk.rows)));
        if (isOpen) {
          rows += chunk.rows.length;
          oldestMs = Math.min(oldestMs, chunk.readAtMs ?? Number.POSITIVE_INFINITY);
          resumeAt = chunk.next;
          restartReadTimeout(raw.socket);
        }
        try {
          if (pending !== null) cost += await settle(isOpen ? unitsOf(chunk) : 0);
          if (resumeAt === null || !isOpen) return isOpen;
          chunk = await readChunk(resumeAt, false);
          pending = chunk.reserved;
        } catch (error) {
          failure = toServiceError(error);
          return isOpen;
        }
      }
    };

    const end = async (): Promise<void> => {
      const nowMs = Date.now();
      const meta = {
        request_id: request.id,
        generated_at: isoOf(nowMs),
        source,
        cache_age_s: Number.isFinite(oldestMs) ? Math.max(0, Math.floor((nowMs - oldestMs) / 1_000)) : null,
        rows,
        cost,
        next_cursor: resumeAt === null ? null : encode(input.scope, resumeAt),
      };
      const error =
        failure === null
          ? {}
          : { error: { code: failure.code, message: failure.message, request_id: request.id } };
      await written(raw, format.trailer({ ...error, meta }));
      if (hasTrailers) raw.addTrailers({ 'X-Request-Cost': String(cost) });
      raw.end();
    };

    const report = (ended: ServiceError): void => {
      metrics.failed(ended.code);
      services.logger.warn(
        { request_id: request.id, err: ended.cause ?? ended, code: ended.code, rows },
        'a stream ended early',
      );
    };

    try {
      raw.writeHead(200);
      const isOpen = await sendChunks();
      if (failure !== null) report(failure);
      if (isOpen) await end();
    } catch (error) {
      // No response can be sent any more: the connection says that the list is not whole.
      report(toServiceError(error));
      raw.destroy();
      await (pending as ReservedUnits | null)?.settle(0);
    }
    measure(performance.now() - request.startedAt);
    return reply;
  };
};
