import { localStore, type WebStorage } from '../../platform/web-storage.ts'
import { createPlayer, type PlayerOptions } from '../player.ts'
import type { Player, PlayerState } from '../player-interface.ts'
import type { PlayedSong } from '../queue.ts'
import { SESSION_KEY } from '../stored-session-check.ts'
import type { OpenSound } from './audio-slot.ts'
import { createEditsSource, EDITS_CONTEXT_ID, type PlayableEdit, toPlayedSong } from './edits-source.ts'
import { createSoundAdapter } from './sound-adapter.ts'

export interface EditsPlayer {
  readonly player: Player
  /** Plays edits in this order, or shuffled, starting with one of them. Must be called in a user gesture. */
  play(edits: readonly PlayableEdit[], startId: string, options?: { shuffle?: boolean }): void
  /** Makes edits that have changed since their sounds were loaded sound as they are now when they are played next. */
  noteChanges(edits: readonly Pick<PlayableEdit, 'id' | 'changedAtMs'>[]): void
}

export interface EditsPlayerDeps extends Pick<PlayerOptions, 'storage' | 'channel' | 'nowMs'> {
  readonly openSound: OpenSound
  /** Returns the length of the crossfade in seconds. */
  readonly crossfadeSeconds: () => number
}

/** Stores only the volume, which all players share, and not the queue, because the next account must not see the queue. */
const volumeStorage: WebStorage = {
  ...localStore,
  readJson: (key) => (key === SESSION_KEY ? undefined : localStore.readJson(key)),
  write: (key, text) => key !== SESSION_KEY && localStore.write(key, text),
}

/** Creates a player with the site's player interface that plays the finished sounds of edits. */
export function createEditsPlayer({ openSound, crossfadeSeconds, ...deps }: EditsPlayerDeps): EditsPlayer {
  let playedSongs: readonly PlayedSong[] = []
  const changedAtMsById = new Map<string, number>()
  const soundAdapter = createSoundAdapter({ openSound, getSoundVersion: (editId) => changedAtMsById.get(editId), crossfadeSeconds })
  const player = createPlayer({
    storage: volumeStorage,
    reloadedSongId: '',
    ...deps,
    source: createEditsSource(() => playedSongs),
    video: soundAdapter,
  })
  player.subscribe(() => {
    const state = player.getSnapshot()
    if (state.status === 'playing') soundAdapter.prepareAfter(state.current?.youtube_id, findFollowingSongId(state, playedSongs))
  })

  const noteChanges: EditsPlayer['noteChanges'] = (edits) => {
    for (const { id, changedAtMs } of edits) changedAtMsById.set(id, changedAtMs)
  }

  return {
    player,
    noteChanges,
    play(edits, startId, { shuffle = false } = {}) {
      soundAdapter.unlock()
      noteChanges(edits)
      playedSongs = edits.map(toPlayedSong)
      const isCurrent = player.getSnapshot().songId === startId
      player.open({ songId: startId, contextId: EDITS_CONTEXT_ID, shuffle, reloadContext: true })
      if (!isCurrent) return
      // A player that plays already ignores `play`.
      if (soundAdapter.isOutdated) player.pause()
      player.play()
    },
  }
}

/**
 * Returns the id of the song that follows at the end of the current one; `undefined` if no song follows, or if shuffle has not chosen it
 * yet.
 */
function findFollowingSongId({ loop, sleep, upcoming, nextKind, shuffle }: PlayerState, songs: readonly PlayedSong[]): string | undefined {
  if (loop || sleep.kind === 'end-of-song') return undefined
  if (nextKind === 'wrap') return shuffle ? undefined : songs[0]?.youtube_id
  return upcoming[0]?.song.youtube_id
}
