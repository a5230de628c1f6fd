import { afterEach, beforeEach, vi } from 'vitest'
import { createMemoryStorage } from '../../platform/testing/memory-storage.ts'
import { createPlayer } from '../player.ts'
import type { Player } from '../player-interface.ts'
import type { SongSource } from '../song-source.ts'
import { createFakeVideo, type FakeVideo } from './fake-video.ts'

interface PreparedPlayerDeps {
  source: SongSource
  video?: FakeVideo
  storage?: ReturnType<typeof createMemoryStorage>
  reloadedSongId?: string
}

/** Gives each test of a file the globals of a page. Returns a function that creates a player whose video starts at once; it is closed after the test. */
export function preparePlayers(): (deps: PreparedPlayerDeps) => Player {
  const players: Player[] = []
  beforeEach(() => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
    vi.stubGlobal('window', new EventTarget())
  })
  afterEach(() => {
    for (const player of players.splice(0)) player.close()
    vi.unstubAllGlobals()
  })
  return ({ source, video = createFakeVideo(), storage = createMemoryStorage(), reloadedSongId = '' }) => {
    const player = createPlayer({ source, video, storage, channel: undefined, reloadedSongId })
    players.push(player)
    return player
  }
}
