/** A line of a process. */
export interface Line {
  readonly process: string;
  /** Real seconds since the beginning of the soak. */
  readonly atS: number;
  /** Of pino: 40 is a warning, 50 an error, 60 the end; what is no JSON is an error. */
  readonly level: number;
  readonly msg: string;
  /** As it was written. */
  readonly text: string;
}

/** Something that was done to the service on purpose, and for how long it may be heard of. */
export interface Incident {
  readonly kind: 'killed' | 'hung' | 'cut' | 'fault';
  /** The process; null: all of them. */
  readonly process: string | null;
  readonly fromS: number;
  readonly toS: number;
}

/** Errors that are expected, each of what was done on purpose. */
export interface Expected {
  readonly msg: RegExp;
  readonly of: Incident['kind'];
  /** Seconds after the end of an incident in which it still is. */
  readonly withinS: number;
}

const ERROR = 50;
const WARNING = 40;

/** A line of standard error. Levels that pino does not know, and texts that are no JSON, are errors. */
export const lineOf = (process: string, atS: number, text: string): Line => {
  try {
    const { level, msg } = JSON.parse(text) as { level?: unknown; msg?: unknown };
    if (typeof level === 'number' && typeof msg === 'string') return { process, atS, level, msg, text };
  } catch {
    // A stack trace, or a warning of Node.
  }
  return { process, atS, level: ERROR, msg: text, text };
};

const explains = (incident: Incident, rule: Expected, line: Line): boolean =>
  incident.kind === rule.of &&
  (incident.process === null || incident.process === line.process) &&
  line.atS >= incident.fromS &&
  line.atS <= incident.toS + rule.withinS;

/** Errors that no rule expects of any incident. */
export const unexpectedLines = (
  lines: readonly Line[],
  incidents: readonly Incident[],
  rules: readonly Expected[],
): readonly Line[] =>
  lines.filter(
    (line) =>
      line.level >= ERROR &&
      !rules.some(
        (rule) => rule.msg.test(line.msg) && incidents.some((incident) => explains(incident, rule, line)),
      ),
  );

/** Warnings and errors by their text, the most frequent first. */
export const countedLines = (lines: readonly Line[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const { level, msg } of lines) if (level >= WARNING) counts.set(msg, (counts.get(msg) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
};
