import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import type { Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { createSimClock } from '../../infra/simulator/world/clock.ts';
import { createTokenBucket } from '../../src/crawlers/engine/token-bucket.ts';
import { createHttpClient, type Limits } from '../../src/crawlers/http/http-client.ts';
import { createRateLimitedHttp } from '../../src/crawlers/http/rate-limited-http.ts';
import { adapterOf, createRegistry } from '../../src/crawlers/platforms/registry.ts';
import { createSessionPool, withSessions } from '../../src/crawlers/sessions/session-pool.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { createTestProgram, type TestProgram } from './program.ts';
import { guestOf } from './sessions.ts';

/** The API with live reads of simulated platforms. */
export interface LiveProgram extends TestProgram {
  readonly simulator: Simulator;
  /** The first account of a platform that meets a condition. */
  account(platform: Platform, wanted: (account: Account) => boolean): Account;
}

const NOW = Date.UTC(2026, 9, 1);

export const createLiveProgram = async (
  options: {
    readonly size?: number;
    /** Names of guest sessions of X; one without limits by default. */
    readonly sessions?: readonly string[];
    readonly ratePerS?: number;
    readonly limits?: Partial<Limits>;
  } & Parameters<typeof createTestProgram>[0] = {},
): Promise<LiveProgram> => {
  const clock = createSimClock({ now: NOW, speed: 0 });
  const simulator = await startSimulator({ seed: 11, size: options.size ?? 120, clock });
  const { sessions = ['simulated'] } = options;
  const program = await createTestProgram({
    ...options,
    live: (db) =>
      withSessions(
        createRateLimitedHttp(
          createHttpClient({
            hostsOf: createRegistry().hostsOf,
            userAgent: 'Sightline test',
            simulatorUrl: simulator.url,
            limits: { retries: 0, ...options.limits },
            clock: systemClock,
            random: seededRandom(1),
          }),
          createTokenBucket(db, { perS: options.ratePerS ?? 5_000, liveShare: 0.5 }),
          8,
        ),
        createSessionPool({
          db,
          keyring: null,
          adapterOf,
          environment: sessions.map((name) => ({ platform: 'x', credentials: guestOf(name) })),
          logger: silentLogger,
          clock: systemClock,
        }),
      ),
  });
  const { world } = simulator;
  return {
    ...program,
    simulator,
    account: (platform, wanted) => {
      for (let index = 0; index < world.count(platform); index++) {
        const account = world.account(platform, index, NOW);
        if (wanted(account)) return account;
      }
      throw new Error(`no such account of ${platform}`);
    },
    close: async () => {
      await program.close();
      await simulator.close();
    },
  };
};

/** A public account of a person or channel with ordinary pages. */
export const isOpen = ({ status, quirks, kind, posts }: Account): boolean =>
  status === 'active' && quirks.size === 0 && (kind === 'person' || kind === 'channel') && posts >= 30;
