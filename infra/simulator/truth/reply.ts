import { z } from 'zod';
import { isoOf } from '../../../src/kernel/clock.ts';
import { json } from '../platforms/response.ts';
import type { Reply } from '../platforms/site.ts';
import { type TruthSource, truthRows } from './rows.ts';

const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => Date.parse(text));

const query = z.object({
  from: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(50_000).default(100),
  weeks: z.coerce.number().int().min(1).max(500).default(53),
  format: z.enum(['json', 'ndjson']).optional(),
  at: instant.optional(),
});

/** Pages above this are NDJSON unless the request says otherwise. */
const LARGE = 1000;

/**
 * A list of `/truth` as JSON or, one row a line, as NDJSON; each names the parameters of the world by their hash.
 * @returns null if there is no such list.
 * @throws {z.ZodError} if the query is malformed.
 */
export const truthReply = (
  source: TruthSource,
  parts: readonly string[],
  given: Readonly<Record<string, string>>,
): Reply | null => {
  const { world } = source;
  const { from, limit, weeks, format, at = world.clock.now() } = query.parse(given);
  if (parts[0] === 'world') {
    const { seed, size, hash, parameters } = world;
    return json({ world: hash, seed, size, at: isoOf(at), parameters });
  }
  const page = truthRows(source, parts, { from, limit, weeks, at });
  if (!page) return null;
  const headers = { 'x-world': world.hash, 'x-next': page.next === null ? '' : String(page.next) };
  if ((format ?? (limit > LARGE ? 'ndjson' : 'json')) === 'json')
    return json({ world: world.hash, at: isoOf(at), rows: [...page.rows], next: page.next }, 200, headers);
  const body: string[] = [];
  let part = '';
  for (const row of page.rows) {
    part += `${JSON.stringify(row)}\n`;
    if (part.length > 65_536) {
      body.push(part);
      part = '';
    }
  }
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: [...body, part],
  };
};
