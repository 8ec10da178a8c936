import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Fault } from './faults.ts';
import { challenge, loginWall } from './login-walls.ts';
import { redirect } from './platforms/response.ts';
import type { Reply, Site, SiteRequest } from './platforms/site.ts';
import { scriptOnly } from './script-only.ts';

/** Renames of a redesign. It must not look like a proof of absence. */
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/application\/ld\+json/g, 'application/x-state'],
  [/__NEXT_DATA__/g, '__APP_STATE__'],
  [/xig_user_by_username/g, 'xig_profile_v2'],
  [/__UNIVERSAL_DATA_FOR_REHYDRATION__|__FRONTITY_CONNECT_STATE__/g, '__ISLAND_STATE__'],
  [/ytInitialData/g, 'ytBootData'],
  [/channelMetadataRenderer/g, 'channelInfoModel'],
  [/pageHeaderRenderer/g, 'pageTopModel'],
  [/"browseEndpoint"/g, '"openEndpoint"'],
  [/<(\/?)feed/g, '<$1stream'],
  [/tgme_/g, 'tg_'],
  [/"(result|user)":\{/g, '"$1":{"v":2,"wrapped":{}},"$1_v2":{'],
  [/"did"/g, '"subject"'],
  [/"listings":\[/g, '"offers":['],
  [/top-card-layout/g, 'hero-layout'],
];

const redesigned = (reply: Reply): Reply => ({
  ...reply,
  body: reply.body.map((part) =>
    typeof part === 'string' ? RENAMED.reduce((text, [old, name]) => text.replace(old, name), part) : part,
  ),
});

const sameWithBody = (reply: Reply, body: Reply['body']): Reply => ({ ...reply, body });

const joined = (reply: Reply): Buffer =>
  Buffer.concat(reply.body.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

/** The replaced response for faults of content; null for faults of transmission. */
export const replaced = (
  fault: Fault,
  /** Null for a site that is no platform's. */
  site: Site | null,
  request: SiteRequest,
  /** By default to the request. */
  regular: (to?: SiteRequest) => Reply,
): Reply | null => {
  switch (fault.kind) {
    case 'rate_limited':
      return {
        status: 429,
        headers: { 'retry-after': String(fault.retryAfterS) },
        body: ['Too Many Requests'],
      };
    case 'server_error':
      return {
        status: [500, 502, 503][request.path.length % 3] as number,
        headers: {},
        body: ['Server Error'],
      };
    case 'login_wall':
      return site === null ? null : loginWall(site.platform, request);
    case 'challenge':
      return site === null ? null : challenge(site.platform, request);
    case 'layout_changed':
      return redesigned(regular());
    case 'script_only':
      return scriptOnly(request, regular);
    case 'redirect_away':
      return redirect(fault.location);
    case 'empty':
      return sameWithBody({ ...regular(), status: 200 }, ['']);
    case 'cut_short': {
      const whole = joined(regular());
      return sameWithBody(regular(), [whole.subarray(0, Math.floor(whole.length / 2))]);
    }
    case 'timeout':
    case 'slow_drip':
    case 'truncated':
    case 'oversized':
    case 'gzip_bomb':
      return null;
  }
};

const MEGABYTE = Buffer.alloc(1 << 20, ' ');
const OVERSIZED_MB = 256;
const DRIP_MS = 250;
let bomb: Buffer | undefined;

/** A fault of transmission. */
export const sendBroken = (fault: Fault, reply: Reply, response: ServerResponse): void => {
  const body = joined(reply);
  switch (fault.kind) {
    case 'slow_drip': {
      response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
      let sent = 0;
      const timer = setInterval(() => {
        if (sent >= body.length) {
          clearInterval(timer);
          response.end();
        } else response.write(body.subarray(sent, ++sent));
      }, DRIP_MS);
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'truncated':
      response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    case 'oversized': {
      response.writeHead(200, reply.headers);
      let left = OVERSIZED_MB;
      const pump = (): void => {
        while (left > 0 && !response.destroyed) {
          left--;
          if (!response.write(MEGABYTE)) {
            response.once('drain', pump);
            return;
          }
        }
        response.end();
      };
      response.write(body);
      pump();
      return;
    }
    case 'gzip_bomb':
      // 96 MB in under 100 kB.
      bomb ??= gzipSync(Buffer.alloc(96 << 20, ' '));
      response.writeHead(200, {
        ...reply.headers,
        'content-encoding': 'gzip',
        'content-length': bomb.length,
      });
      response.end(bomb);
      return;
    default:
      // A timeout: nothing is ever sent.
      return;
  }
};
