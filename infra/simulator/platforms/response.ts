import { scramble } from '../world/hash.ts';
import type { Reply } from './site.ts';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

export const html = (body: Reply['body'] | string, status = 200): Reply => ({
  status,
  headers: { 'content-type': HTML },
  body: typeof body === 'string' ? [body] : body,
});

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: [JSON.stringify(value)],
});

export const redirect = (location: string, status = 302): Reply => ({
  status,
  headers: { location },
  body: [''],
});

export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
    : text;

/** JSON that is safe in a script element. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** About `bytes` of minified functions as in real bundles. Generated once. */
export const bundle = (bytes: number, key: number): Buffer => {
  const parts: string[] = [];
  let length = 0;
  for (let n = 0; length < bytes; n++) {
    const [a, b, c] = [0, 1, 2].map((at) => scramble(LETTERS, 3 + ((n + at) % 5), key, n * 3 + at));
    const part = `${n * 37}:function(e,t,n){"use strict";var ${a}=n(${(n * 131) % 9973});t.${b}=function(r){return r&&r.${c}?${a}(r.${c},{type:"${b}",k:${n}}):null}},`;
    parts.push(part);
    length += part.length;
  }
  return Buffer.from(
    `<script nonce="${scramble(LETTERS, 16, key, 1)}">(self.c=self.c||[]).push([[${key % 997}],{${parts.join('')}}]);</script>`,
  );
};

/** About `bytes` of style rules. */
export const styles = (bytes: number, key: number): Buffer => {
  const parts: string[] = [];
  for (let n = 0; n * 48 < bytes; n++) {
    parts.push(
      `.${scramble(LETTERS, 7, key, n)}{margin:${n % 13}px;color:#${((n * 7919) % 4096).toString(16).padStart(3, '0')};flex:1 ${n % 7} auto}`,
    );
  }
  return Buffer.from(`<style data-href="s${key}">${parts.join('')}</style>`);
};

export const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
