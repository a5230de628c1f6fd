import { ANONYMOUS_UID } from '../data/local-database.ts'
import type { PlaybackSession, PlaybackSessionStore } from './playback-session-store.ts'

const SAVE_EVERY_MS = 4000

/**
 * Saves the playback session, but only after a song was played or selected in this tab: until then, the stored session may belong to another tab. Saves
 * nothing while another account is signed in than the one that played, because a tab that the browser had suspended may not have followed the change.
 */
export function createSessionSaver(store: PlaybackSessionStore, readSession: () => PlaybackSession, nowMs: () => number) {
  let isSavingActive = false
  /** The account to which the session belongs; `undefined` if no person has played or selected a song since the session was forgotten. */
  let ownerUid: string | undefined
  let savedAtMs = 0
  let belongsToOtherTab = false

  /** Returns whether the session belongs to the signed-in account. What was played before a login belongs to the account that signs in. */
  function claimSession(): boolean {
    const signedInUid = store.readSignedInUid()
    ownerUid ||= signedInUid
    return ownerUid === signedInUid
  }

  function saveSession() {
    if (!isSavingActive || belongsToOtherTab || ownerUid === undefined || !claimSession()) return
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
      belongsToOtherTab = false
      claimSession()
    },
    /** After this call, the session of the other tab stays stored until the next call of `activate`. */
    yieldToOtherTab() {
      belongsToOtherTab = true
    },
    /**
     * Must be called after the session of a person who has signed out was forgotten. If nobody is signed in, what is left is saved. Otherwise the stored
     * session may be of the next account, and nothing is saved until a song is played or selected.
     */
    disown() {
      ownerUid = store.readSignedInUid() === ANONYMOUS_UID ? ANONYMOUS_UID : undefined
      saveSession()
    },
    save: saveSession,
    /** Saves if the last save was at least four seconds ago. */
    saveRegularly() {
      if (nowMs() - savedAtMs >= SAVE_EVERY_MS) saveSession()
    },
  }
}

export type SessionSaver = ReturnType<typeof createSessionSaver>
