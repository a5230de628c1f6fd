import { localStore } from '../platform/web-storage.ts'

/** The key of the playback session in localStorage. */
export const SESSION_KEY = 'varispeed.player'

/** Whether localStorage contains a playback session, which the player restores if its format is valid. */
export const hasPlaybackSession = (): boolean => localStore.read(SESSION_KEY) !== null
