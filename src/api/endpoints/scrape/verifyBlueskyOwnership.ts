import { verifyEndpoint } from '../../contract/schemas/verify.ts';

export default verifyEndpoint('bluesky', 'verifyBlueskyOwnership', 'bsky.app');
