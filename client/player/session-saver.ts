import type { PlaybackSession, PlaybackSessionStore } from './playback-session-store.ts'

const SAVE_EVERY_MS = 4000

/** Saves the playback session, but only after a song was played or selected in this tab: until then, the stored session may belong to another tab. */
export function createSessionSaver(store: PlaybackSessionStore, readSession: () => PlaybackSession, nowMs: () => number) {
  let isSavingActive = false
  let savedAtMs = 0

  function saveSession() {
    if (!isSavingActive) return
    savedAtMs = nowMs()
    store.write(readSession())
  }

  return {
    get isActive() {
      return isSavingActive
    },
    /** After this call, saving replaces the stored session by the session of this page. */
    activate() {
      isSavingActive = true
    },
    save: saveSession,
    /** Saves if the last save was at least four seconds ago. */
    saveRegularly() {
      if (nowMs() - savedAtMs >= SAVE_EVERY_MS) saveSession()
    },
  }
}

export type SessionSaver = ReturnType<typeof createSessionSaver>
