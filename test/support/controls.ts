import type { EngineOptions } from '../../src/crawlers/engine/visitor.ts';

/** An engine of which no operator has decided anything. */
export const uncontrolled: Pick<EngineOptions, 'controls' | 'controlCopies'> = {
  controls: { engine: async () => ({ paused: false, ratePerS: null }) },
  controlCopies: { copy: async () => ({ alarm: null, paused: false, ratePerS: null }) },
};
