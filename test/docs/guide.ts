/** The examples of `docs/api.md`: pairs of fenced blocks, a request and what is answered. */

export interface ExampleMessage {
  /** Request line or status line. */
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Example {
  /** Line of the guide. */
  readonly line: number;
  /** Whose key sends it: `key=…` after the opening fence, `scale` by default. */
  readonly key: string;
  /** What the simulated platform does meanwhile: `fault=…`; it works by default. */
  readonly fault: string | null;
  readonly request: ExampleMessage;
  readonly answer: ExampleMessage;
}

const messageOf = (text: string): ExampleMessage => {
  const [head = '', ...body] = text.trimEnd().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { first, headers: Object.fromEntries(headers), body: body.join('\n\n') };
};

export const examplesOf = (guide: string): readonly Example[] => {
  const blocks = [...guide.matchAll(/^```http(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    info: match[1] ?? '',
    message: messageOf(match[2] ?? ''),
    line: guide.slice(0, match.index).split('\n').length,
  }));
  return blocks.flatMap(({ info, message, line }, i) => {
    if (message.first.startsWith('HTTP/')) return [];
    const answer = blocks[i + 1]?.message;
    if (answer?.first.startsWith('HTTP/') !== true)
      throw new Error(`line ${line}: a request without an answer`);
    return [
      {
        line,
        key: /\bkey=(\S+)/.exec(info)?.[1] ?? 'scale',
        fault: /\bfault=(\S+)/.exec(info)?.[1] ?? null,
        request: message,
        answer,
      },
    ];
  });
};

/** Fields that differ from answer to answer: compared by shape. */
const VARYING: ReadonlySet<string> = new Set([
  'request_id',
  'generated_at',
  'took_ms',
  'cache_age_s',
  'stale_s',
  'next_cursor',
  'first_seen_at',
  'last_seen_at',
]);

const VARYING_HEADERS: ReadonlySet<string> = new Set([
  'x-request-id',
  'link',
  'x-next-cursor',
  'x-cache-age',
  'x-list-coverage',
  'x-quota-used',
  'x-quota-remaining',
  'x-quota-reset',
  'x-live-used',
  'ratelimit',
  'retry-after',
  'etag',
]);

/** What a value looks like: of a text, digits and runs of letters are the same. */
const shapeOf = (value: unknown): string =>
  typeof value === 'string'
    ? `"${value.replaceAll(/^req_.*/g, 'req').replaceAll(/\d+/g, '0')}"`
    : typeof value;

/** Whether a text is as shown; `…` stands for a part that varies. */
const isText = (shown: unknown, given: unknown): boolean => {
  if (typeof shown !== 'string' || typeof given !== 'string' || !shown.includes('…')) return false;
  const [head = '', ...rest] = shown.split('…');
  return given.startsWith(head) && given.endsWith(rest.at(-1) ?? '');
};

const isAlike = (shown: unknown, given: unknown): boolean =>
  isText(shown, given) || shapeOf(shown) === shapeOf(given);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Where an answer is not as the guide shows it, path by path. `"…"` as the last element of a list, or as a name, stands
 * for more.
 */
export const differences = (shown: unknown, given: unknown, path = 'body'): readonly string[] => {
  if (Array.isArray(shown) && Array.isArray(given)) {
    const isOpen = shown.at(-1) === '…';
    const items = isOpen ? shown.slice(0, -1) : shown;
    if (isOpen ? given.length <= items.length : given.length !== items.length)
      return [`${path}: ${given.length} items`];
    return items.flatMap((item, i) => differences(item, given[i], `${path}[${i}]`));
  }
  if (isRecord(shown) && isRecord(given)) {
    const isOpen = '…' in shown;
    const names = new Set([...Object.keys(shown), ...(isOpen ? [] : Object.keys(given))]);
    names.delete('…');
    return [...names].flatMap((name) => {
      const at = `${path}.${name}`;
      if (!(name in shown) || !(name in given)) return [`${at}: ${name in given ? 'not shown' : 'missing'}`];
      // The times of values vary, whatever the values.
      const varies = VARYING.has(name) || path.endsWith('.measured_at');
      if (!varies) return differences(shown[name], given[name], at);
      return isAlike(shown[name], given[name]) ? [] : [`${at}: ${JSON.stringify(given[name])}`];
    });
  }
  return isText(shown, given) || Object.is(shown, given) ? [] : [`${path}: ${JSON.stringify(given)}`];
};

/** The headers that the guide shows, where they are not those of the answer. */
export const headerDifferences = (
  shown: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.entries(shown).flatMap(([name, value]) => {
    const actual = given[name] === undefined ? undefined : String(given[name]);
    const isShown = VARYING_HEADERS.has(name) ? isAlike(value, actual) : value === actual;
    return isShown ? [] : [`${name}: ${actual}`];
  });
