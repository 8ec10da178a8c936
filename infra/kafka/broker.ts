import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brokerJars } from './jars.ts';

/** A Kafka broker on this machine, listening on loopback only. */
export interface Broker {
  /** In the form of `KAFKA_BROKERS`. */
  readonly address: string;
  /** Starts it again after it was stopped or killed, with the same address and data. */
  start(): Promise<void>;
  /** Stops it gracefully, or kills it. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Suspends the process until it is thawed. */
  freeze(): void;
  thaw(): void;
}

const CLUSTER = 'c2lnaHRsaW5lLWthZmthLQ';
const START_MS = 60_000;

const FIRST_PORT = 10_000;
const LAST_PORT = 30_000;

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
};

/**
 * A free port outside the range that systems take ports of outgoing connections from: a broker that is down for a while
 * has to find its own port free again.
 */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) return port;
  }
};

const properties = (dir: string, port: number, controller: number): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${join(dir, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
`;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Halves the CPU time of a start at the cost of throughput. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/**
 * Starts one Kafka node (broker and controller in one) with its data in a folder.
 * @param dir an empty folder, or one of an earlier broker.
 * @param isShortLived trades throughput for a cheap start.
 * @throws {Error} with the end of its log if it does not start.
 */
export const startBroker = async (dir: string, isShortLived = false): Promise<Broker> => {
  const classPath = join(await brokerJars(), '*');
  const own = { port: await freePort(), controller: await freePort() };
  const settings = join(dir, 'server.properties');
  const log = join(dir, 'broker.log');
  await writeFile(settings, properties(dir, own.port, own.controller));
  const java = ['-Xmx512m', '-Dlog4j2.level=WARN', '-cp', classPath];
  await promisify(execFile)('java', [
    ...SHORT_LIVED,
    ...java,
    ...['kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', CLUSTER, '-c', settings],
  ]);
  const tied = spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    // Lock files of a killed broker would keep the next one from its data.
    await rm(join(dir, 'data', '.lock'), { force: true });
    const out = openSync(log, 'a');
    // With setpriv the broker is killed when this process dies, however that ends.
    const command = ['java', ...(isShortLived ? SHORT_LIVED : []), ...java, 'kafka.Kafka', settings];
    const [program = '', ...args] = tied ? ['setpriv', '--pdeathsig', 'KILL', ...command] : command;
    child = spawn(program, args, { stdio: ['ignore', out, out] });
    const until = Date.now() + START_MS;
    while (!(await answers(own.port))) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > until) {
        throw new Error(`the broker did not start:\n${(await readFile(log, 'utf8')).slice(-2_000)}`);
      }
      await sleep(50);
    }
  };
  const stop: Broker['stop'] = async (signal = 'SIGTERM') => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGCONT');
    running.kill(signal);
    await ended;
  };
  await start();
  return {
    address: `127.0.0.1:${own.port}`,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
};
