import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM_FLAGS } from '../support/child.ts';
import { type Line, lineOf } from './logs.ts';
import { FLEET, PROCESSES, type ProcessName, type Victim } from './plan.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RESTART_MS = 500;

/** A process that is started again whenever it ends. */
interface Kept {
  readonly name: string;
  child: ChildProcess | null;
  /** Process of the API that this one has started; null if none is known. */
  apiPid: number | null;
  /** Resolves when it ends for good. @returns its exit code. */
  ended: Promise<number | null>;
}

export interface Fleet {
  readonly urls: Readonly<Record<'whole' | 'api', string>>;
  readonly lines: readonly Line[];
  /** Ends of processes that were not asked for, as texts. */
  readonly unasked: readonly string[];
  /** Process ids by name, now; the API's child of `whole` is `child`. */
  pids(): ReadonlyMap<string, number>;
  /** Kills or stops. @returns whether there was a process to strike. */
  strike(victim: Exclude<Victim, 'connections' | 'database'>): boolean;
  /** Waits until all processes have started. */
  started(limitMs: number): Promise<void>;
  /** Ends processes gracefully. @returns names and exit codes of those that did not end with 0. */
  stop(names: readonly ProcessName[]): Promise<readonly string[]>;
  /** Ends all that is left, at once. */
  close(): Promise<void>;
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

/** @returns whether there was such a process. */
export const signalled = (pid: number, signal: 'SIGSTOP' | 'SIGKILL'): boolean => {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
};

export interface FleetOptions {
  /** Folder of homes and logs. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Real seconds since the beginning of the soak. */
  readonly nowS: () => number;
}

/** What a process logs when it has started, and when its child serves the API. */
const STARTED = 'Sightline started';
const CHILD_SERVES = 'the API is served by a separate process';

class ProcessFleet implements Fleet {
  readonly lines: Line[] = [];
  readonly unasked: string[] = [];
  readonly urls: Fleet['urls'];
  readonly #options: FleetOptions;
  readonly #ports: Readonly<Record<ProcessName, number>>;
  readonly #kept = new Map<ProcessName, Kept>();
  /** Processes that a plan has struck, or that were asked to end. */
  readonly #struck = new WeakSet<ChildProcess>();
  readonly #starts = new Map<ProcessName, number>();
  readonly #logs = new Map<string, WriteStream>();
  #isStopping = new Set<ProcessName>();
  /** The child that was stopped last, which its parent kills unless that is struck before. */
  #stoppedPid: number | null = null;

  constructor(options: FleetOptions, ports: Readonly<Record<ProcessName, number>>) {
    this.#options = options;
    this.#ports = ports;
    this.urls = { whole: `http://127.0.0.1:${ports.whole}`, api: `http://127.0.0.1:${ports.api}` };
    for (const name of PROCESSES) this.#keep(name);
  }

  readonly pids = (): ReadonlyMap<string, number> => {
    const found = [...this.#kept].flatMap(([name, { child }]) =>
      child?.pid === undefined ? [] : [[name, child.pid] as const],
    );
    const api = this.#kept.get('whole')?.apiPid ?? null;
    return new Map<string, number>(api === null ? found : [...found, ['child', api]]);
  };

  readonly strike: Fleet['strike'] = (victim) => {
    const isOfChild = victim === 'child' || victim === 'hung child';
    const pid = this.pids().get(isOfChild ? 'child' : victim);
    if (pid === undefined) return false;
    const { child = null } = isOfChild ? {} : (this.#kept.get(victim) ?? {});
    if (child !== null) this.#struck.add(child);
    if (victim === 'hung child') {
      this.#stoppedPid = pid;
      return signalled(pid, 'SIGSTOP');
    }
    // A supervisor kills the group: a child that is stopped does not notice that its parent is gone, and keeps its port.
    if (victim === 'whole' && this.#stoppedPid !== null) signalled(this.#stoppedPid, 'SIGKILL');
    return signalled(pid, 'SIGKILL');
  };

  readonly started = async (limitMs: number): Promise<void> => {
    const until = performance.now() + limitMs;
    while (PROCESSES.some((name) => (this.#starts.get(name) ?? 0) === 0)) {
      if (performance.now() > until)
        throw new Error(`the service did not start in ${limitMs} ms; see ${this.#options.dir}`);
      await sleep(100);
    }
  };

  readonly stop = async (names: readonly ProcessName[]): Promise<readonly string[]> => {
    const codes = await Promise.all(
      names.map(async (name) => {
        this.#isStopping.add(name);
        const kept = this.#kept.get(name);
        if (kept?.child == null) return [];
        this.#struck.add(kept.child);
        kept.child.kill('SIGTERM');
        const code = await kept.ended;
        return code === 0 ? [] : [`${name} ended with ${code}`];
      }),
    );
    return codes.flat();
  };

  readonly close = async (): Promise<void> => {
    for (const name of PROCESSES) this.#isStopping.add(name);
    const present = [...this.#kept.values()];
    for (const pid of this.pids().values()) signalled(pid, 'SIGKILL');
    await Promise.all(present.map(({ ended }) => ended));
    await Promise.all([...this.#logs.values()].map((log) => new Promise((resolve) => log.end(resolve))));
  };

  #keep(name: ProcessName): void {
    const role = FLEET[name];
    const { dir, environment } = this.#options;
    const args = [...PROGRAM_FLAGS, join(ROOT, 'src/cli/main.ts'), 'start'];
    const child = spawn(process.execPath, role === null ? args : [...args, '--role', role], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...environment,
        SIGHTLINE_HOME: join(dir, name),
        PORT: String(this.#ports[name]),
        LOG_FORMAT: 'json',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (text) => this.#heard(name, text));
    const kept: Kept = { name, child, apiPid: null, ended: Promise.resolve(null) };
    kept.ended = once(child, 'exit').then(([code, signal]) => {
      kept.child = null;
      kept.apiPid = null;
      if (this.#isStopping.has(name)) return code as number | null;
      if (!this.#struck.has(child))
        this.unasked.push(`${name} ended with ${code ?? signal} at ${this.#options.nowS().toFixed(1)} s`);
      setTimeout(() => {
        if (!this.#isStopping.has(name)) this.#keep(name);
      }, RESTART_MS);
      return code as number | null;
    });
    this.#kept.set(name, kept);
  }

  #heard(name: ProcessName, text: string): void {
    if (text === '') return;
    const log = this.#logs.get(name) ?? createWriteStream(join(this.#options.dir, `${name}.log`));
    this.#logs.set(name, log);
    const atS = this.#options.nowS();
    log.write(`${atS.toFixed(2)} ${text}\n`);
    const line = lineOf(name, atS, text);
    this.lines.push(line);
    const kept = this.#kept.get(name);
    if (line.msg === STARTED) this.#starts.set(name, (this.#starts.get(name) ?? 0) + 1);
    if (line.msg === CHILD_SERVES && kept !== undefined) {
      kept.apiPid = (JSON.parse(text) as { pid: number }).pid;
      this.#stoppedPid = null;
    }
  }
}

/** Starts the processes of `FLEET`, each with a home and a port of its own, and keeps them running. */
export const startFleet = async (options: FleetOptions): Promise<Fleet> => {
  const ports: Partial<Record<ProcessName, number>> = {};
  for (const name of PROCESSES) {
    ports[name] = await freePort();
    await mkdir(join(options.dir, name), { recursive: true });
  }
  return new ProcessFleet(options, ports as Record<ProcessName, number>);
};
