import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';

/** Of whom an account is: the number of a person, or null if it is the only one of its owner; and what it is there for. */
export interface TrueOwner {
  readonly platform: Platform;
  readonly id: string;
  readonly handle: string;
  readonly person: number | null;
  readonly role: string | null;
}

const PAGE = 5_000;

const rowSchema = z.object({
  id: z.string(),
  handle: z.string(),
  person: z.number().nullable(),
  role: z.string().nullable(),
});

const read = async (url: URL): Promise<Response> => {
  const response = await fetch(url).catch((error: unknown) => {
    throw new OperatorError(
      'argument_invalid',
      `${url.origin} does not answer: is the simulator running there?`,
      {
        cause: error,
      },
    );
  });
  if (!response.ok) throw new OperatorError('argument_invalid', `${url.href} answered ${response.status}`);
  return response;
};

/** The hash of a simulator's world, and its owners of all accounts, by `/truth`. */
export async function* trueOwners(simulator: string): AsyncGenerator<TrueOwner> {
  for (const platform of PLATFORMS) {
    let from: number | null = 0;
    while (from !== null) {
      const url = new URL(`/truth/accounts/${platform}?from=${from}&limit=${PAGE}`, simulator);
      const response = await read(url);
      for (const line of (await response.text()).split('\n'))
        if (line !== '') yield { platform, ...rowSchema.parse(JSON.parse(line)) };
      const next: string = response.headers.get('x-next') ?? '';
      from = next === '' ? null : Number(next);
    }
  }
}

export const worldHash = async (simulator: string): Promise<string> => {
  const body: unknown = await (await read(new URL('/truth/world', simulator))).json();
  return z.object({ world: z.string() }).parse(body).world;
};
