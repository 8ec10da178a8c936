import type { Page } from '../http/port.ts';
import type { BrowserRequest } from './page-request.ts';

/** A document to render, and how its requests are answered. */
export interface Visit {
  readonly document: Page;
  /** The response to a request of the page; null if it is refused. An error ends the visit. */
  answer(asked: BrowserRequest): Promise<Page | null>;
  /** Maximum length of the rendered page in characters. */
  readonly maxChars: number;
  /** A page is complete once it has requested nothing for this long. */
  readonly quietMs: number;
  /** A page that never stops requesting is taken as it is after this time. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/** What became of a document. */
export type Rendered =
  /** With the address under which it presents itself in the end, which scripts may change. */
  | { readonly kind: 'html'; readonly html: string; readonly url: string }
  /** Its scripts left for another document, which is not requested. */
  | { readonly kind: 'left'; readonly url: string };

/** A browser process. Renders one document at a time, each in a context of its own. */
export interface Browser {
  /** @throws {FetchError} */
  render(visit: Visit): Promise<Rendered>;
  isRunning(): boolean;
  /** Memory of all its processes in bytes; null where the system doesn't show it. */
  memoryBytes(): Promise<number | null>;
  kill(): void;
  /** Also removes its files. */
  close(): Promise<void>;
}
