import { html, json, redirect } from './platforms/response.ts';
import type { Reply, SiteRequest } from './platforms/site.ts';
import type { Platform } from './simulated-platforms.ts';

const back = (request: SiteRequest): string => encodeURIComponent(request.path);
const isApi = (request: SiteRequest): boolean => /^\/(api|i\/api|graphql|youtubei)\//.test(request.path);

/** Each platform's login wall. */
export const loginWall = (platform: Platform, request: SiteRequest): Reply => {
  switch (platform) {
    case 'x':
      if (request.host === 'syndication.twitter.com') return html('', 429);
      return isApi(request)
        ? json({ errors: [{ code: 32, message: 'Could not authenticate you.' }] }, 401)
        : redirect(`https://x.com/i/flow/login?redirect_after_login=${back(request)}`);
    case 'instagram':
      return isApi(request)
        ? json(
            {
              message: 'Please wait a few minutes before you try again.',
              require_login: true,
              igweb_rollout: true,
              status: 'fail',
            },
            401,
          )
        : redirect(`https://www.instagram.com/accounts/login/?next=${back(request)}`);
    case 'tiktok':
      return redirect(`https://www.tiktok.com/login?redirect_url=${back(request)}`);
    case 'youtube':
      return isApi(request)
        ? json({ error: { code: 401, message: 'Login required.', status: 'UNAUTHENTICATED' } }, 401)
        : redirect(`https://consent.youtube.com/m?continue=${back(request)}`);
    case 'linkedin':
      return redirect(
        `https://www.linkedin.com/authwall?trk=gf&original_referer=&sessionRedirect=${back(request)}`,
      );
    case 'bluesky':
    case 'telegram':
      return json({ error: 'AuthMissing', message: 'Authentication Required' }, 401);
  }
};

/** Each platform's challenge. */
export const challenge = (platform: Platform, request: SiteRequest): Reply => {
  switch (platform) {
    case 'instagram':
      return isApi(request)
        ? json(
            { message: 'checkpoint_required', checkpoint_url: '/challenge/', lock: false, status: 'fail' },
            400,
          )
        : redirect('https://www.instagram.com/challenge/');
    case 'tiktok':
      return html(
        '<!DOCTYPE html><html><head><title>Verify to continue</title></head><body><div id="captcha_container"></div><script>window._wafchallengeid="s1";</script></body></html>',
      );
    case 'youtube':
      return redirect(`https://www.google.com/sorry/index?continue=${back(request)}`);
    case 'linkedin':
      return {
        status: 999,
        headers: { 'content-type': 'text/html' },
        body: ['<html><head><script>window.onload=function(){}</script></head></html>'],
      };
    case 'x':
    case 'telegram':
    case 'bluesky':
      return {
        status: 403,
        headers: { 'content-type': 'text/html; charset=UTF-8', 'cf-mitigated': 'challenge' },
        body: [
          '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body></body></html>',
        ],
      };
  }
};
