import { verifyEndpoint } from './verify-ownership.ts';

export default verifyEndpoint('youtube', 'verifyYoutubeOwnership', 'nasa');
