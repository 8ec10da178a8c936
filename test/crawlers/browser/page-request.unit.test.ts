import { describe, expect, it } from 'vitest';
import { type BrowserRequest, pageRequest, passedHeaders } from '../../../src/crawlers/browser/browser.ts';

const HOSTS = ['www.tiktok.com'];
const asked = (changes: Partial<BrowserRequest> = {}): BrowserRequest => ({
  url: 'https://www.tiktok.com/api/user',
  method: 'GET',
  type: 'fetch',
  headers: {},
  body: null,
  ...changes,
});

describe('a request of a rendered page', () => {
  it.for(['script', 'fetch', 'xhr'])('is sent if it is for a %s of the platform', (type) => {
    expect(pageRequest(asked({ type }), HOSTS)).toMatchObject({ url: 'https://www.tiktok.com/api/user' });
  });

  it.for([
    'document',
    'image',
    'stylesheet',
    'font',
    'media',
    'ping',
    'websocket',
    'eventsource',
    'manifest',
    'other',
  ])('is refused if it is for a %s', (type) => {
    expect(pageRequest(asked({ type }), HOSTS)).toBeNull();
  });

  it.for([
    'https://example.org/',
    'http://www.tiktok.com/',
    'https://www.tiktok.com:8443/',
    'https://user@www.tiktok.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'blob:https://www.tiktok.com/1',
    'data:text/plain,1',
    'nowhere',
  ])('is refused if it is to %s', (url) => {
    expect(pageRequest(asked({ url }), HOSTS)).toBeNull();
  });

  it.for(['PUT', 'DELETE', 'OPTIONS', 'HEAD'])('is refused if it is a %s', (method) => {
    expect(pageRequest(asked({ method }), HOSTS)).toBeNull();
  });

  it('is refused with a body larger than 256 KiB', () => {
    const post = (size: number) => pageRequest(asked({ method: 'POST', body: 'x'.repeat(size) }), HOSTS);
    expect(post(256 * 1024)).toMatchObject({ method: 'POST' });
    expect(post(256 * 1024 + 1)).toBeNull();
  });

  it('keeps the headers of the call, without credentials or traces of a browser', () => {
    const headers = {
      accept: 'application/json',
      'x-app-id': '7',
      referer: 'https://www.tiktok.com/',
      cookie: 'a=b',
      Authorization: 'Bearer x',
      'user-agent': 'HeadlessChrome',
      'accept-encoding': 'br',
      'sec-ch-ua': 'Chromium',
      host: 'www.tiktok.com',
    };
    expect(pageRequest(asked({ headers }), HOSTS)?.headers).toEqual({
      accept: 'application/json',
      'x-app-id': '7',
      referer: 'https://www.tiktok.com/',
    });
  });
});

describe('a response to a page', () => {
  it('keeps its type and rules for scripts, without cookies', () => {
    const passed = passedHeaders({
      'content-type': 'application/json; charset=latin1',
      'content-encoding': 'br',
      'content-length': '3',
      'set-cookie': 'a=b',
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'self'",
      link: '</a.css>; rel=preload',
    });
    expect(passed).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'self'",
    });
  });
});
