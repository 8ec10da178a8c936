import { seededRandom } from '../../src/kernel/random.ts';
import { type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from './scripted-server.ts';

const ITEMS = 500;
const PAGE = 10;

const refused = (status: number, code: string): ScriptedAnswer => ({
  status,
  headers: { 'retry-after': '0', 'x-request-cost': '0' },
  body: { error: { code, message: code, request_id: 'req_1' } },
});

/**
 * A service that fails in half of its answers, before or after it has charged: storms of 429, 503, cut and missing answers. A list of
 * 500 items, and a tool that counts its charges by Idempotency-Key.
 */
export const startFaultyService = async (seed: number) => {
  const random = seededRandom(seed);
  let faults = 0;
  /** Charges of each POST, by its key. */
  const charges = new Map<string, number>();
  const page = (url: string) => {
    const from = Number(new URL(url, 'http://service').searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: PAGE }, (_, i) => ({ handle: `h${from + i}` }));
    const next = from + PAGE >= ITEMS ? null : String(from + PAGE);
    return { data, meta: { next_cursor: next } };
  };
  /** A key is charged once: later requests get the stored answer. */
  const tool = ({ key, body }: ScriptedRequest) => {
    if (key === null) throw new Error('a POST without Idempotency-Key');
    if (!charges.has(key)) charges.set(key, 1);
    return { data: body, meta: {} };
  };
  const fault = (whole: ScriptedAnswer): ScriptedAnswer => {
    faults += 1;
    const kinds = [
      refused(429, 'rate_limited'),
      refused(503, 'service_unavailable'),
      refused(409, 'idempotency_in_flight'),
      { drop: true },
      { ...whole, cut: true },
    ];
    return kinds[Math.floor(random.next() * kinds.length)] as ScriptedAnswer;
  };
  const server = await startScriptedServer((request) => {
    const fails = random.next() < 0.5;
    const isCharged = !fails || random.next() < 0.5;
    const body = request.method === 'GET' ? page(request.url) : isCharged ? tool(request) : {};
    const whole = { status: 200, headers: { 'x-request-cost': '1' }, body };
    return fails ? fault(whole) : whole;
  });
  return { ...server, items: ITEMS, charges, faults: () => faults };
};
