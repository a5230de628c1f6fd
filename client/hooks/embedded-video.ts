/** Loads the code of embedded videos, and returns its function `playEmbeddedVideo`. */
export const loadEmbeddedVideo = async () => (await import('../player/embedded-video.ts')).playEmbeddedVideo
