import type { SingleBar } from 'cli-progress';

/** How far a long piece of work has come: a bar with rate and ETA on a terminal, a line now and then otherwise. */
export interface Progress {
  update(done: number, total: number): void;
  end(): void;
}

const LINE_MS = 3_000;

const duration = (s: number): string => (s < 90 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`);

/**
 * @param what names the work, as `rebuild directory`.
 * @param unit what is counted, as `events`; `about 7 events` where that is an estimate.
 */
export const createProgress = (
  what: string,
  unit: string,
  { stream = process.stderr, isEstimate = false }: { stream?: NodeJS.WriteStream; isEstimate?: boolean } = {},
): Progress => {
  const startedAt = Date.now();
  const about = isEstimate ? 'about ' : '';
  const rate = (done: number) => done / Math.max(0.001, (Date.now() - startedAt) / 1_000);
  if (stream.isTTY === true) {
    let bar: SingleBar | undefined;
    let ended = false;
    let at = { done: 0, total: 0 };
    const draw = () => {
      bar?.setTotal(at.total);
      bar?.update(at.done, { speed: Math.round(rate(at.done)).toLocaleString('en') });
    };
    const start = async () => {
      const { SingleBar: Bar } = await import('cli-progress');
      if (ended) return;
      bar = new Bar({
        stream,
        format: `${what} [{bar}] {percentage}% ${about}{value}/{total} ${unit}, {speed}/s, ETA {eta_formatted}`,
        hideCursor: true,
        etaBuffer: 50,
      });
      bar.start(at.total, 0, { speed: 0 });
      draw();
    };
    let isStarting = false;
    return {
      update: (done, total) => {
        at = { done, total };
        if (isStarting) draw();
        else void start();
        isStarting = true;
      },
      end: () => {
        ended = true;
        bar?.stop();
      },
    };
  }
  let printedAt = startedAt;
  return {
    update: (done, total) => {
      if (Date.now() - printedAt < LINE_MS) return;
      printedAt = Date.now();
      const left = Math.max(0, total - done) / Math.max(1, rate(done));
      stream.write(
        `${what}: ${about}${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${unit} (${Math.floor((100 * done) / Math.max(1, total))} %), ${Math.round(rate(done)).toLocaleString('en-US')}/s, ${duration(left)} left\n`,
      );
    },
    end: () => undefined,
  };
};
