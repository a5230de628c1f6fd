import { expect, onTestFinished, test, vi } from 'vitest'
import { createCleanupScope } from '../primitives/scope.ts'
import { createPlayback, type PlayKind } from './playback.ts'
import { createFakeVideo, type FakeVideo } from './testing/fake-video.ts'
import { createSong } from './testing/player-setup.ts'
import { preparePlayers } from './testing/prepare-players.ts'

const createPlayer = preparePlayers()

/** Lets the video play for some seconds. */
function playFor(video: FakeVideo, seconds: number) {
  for (let second = 0; second < seconds; second++) {
    video.currentTime += 1
    video.emit('timeupdate')
  }
}

function setUp() {
  const video = createFakeVideo()
  const kinds: PlayKind[] = []
  const scope = createCleanupScope()
  onTestFinished(scope.dispose)
  const [onChange, onMove, onStart, onUnplayable, onPlaybackConfirmed] = [vi.fn(), vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  const playback = createPlayback(video, scope, {
    ...{ onChange, onMove, onStart, onUnplayable, onPlaybackConfirmed },
    onEnd: () => playback.replay(),
    onCounted: (_lengthSeconds, kind) => void kinds.push(kind),
  })
  return { video, playback, kinds }
}

test('a play that ended before it counted is not the first of the repetitions', () => {
  const { video, playback, kinds } = setUp()
  playback.load('song', 100, 0)
  playback.seek(97)
  playFor(video, 3)
  video.emit('ended')
  playFor(video, 10)
  video.emit('ended')
  playFor(video, 10)
  expect(kinds).toEqual(['new', 'repeated'])
})

test('a song that is paused while it is loaded, and then played from its middle, is a new play', async () => {
  const video = createFakeVideo()
  const playedSongs: string[] = []
  const player = createPlayer({
    video,
    source: {
      async song(songId) {
        const songContext = { context_id: 'list', context_title: 'List', first_song: 'a', next: 'b', next_title: '' }
        return { ...createSong(songId), description: '', favorite: false, ...songContext }
      },
      context: async () => ({ songs: [], complete: false }),
      randomSongId: async () => 'x',
      countPlay() {},
      logPlay: (_player, { youtube_id }, _contextId, kind) => void playedSongs.push(`${youtube_id} ${kind}`),
      reportUnplayable() {},
    },
  })
  player.open({ songId: 'a', contextId: 'list' })
  await vi.waitFor(() => expect(player.getSnapshot().status).toBe('playing'))
  playFor(video, 10)
  player.next()
  player.pause()
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'paused', current: { youtube_id: 'b' } }))
  player.seek(30)
  player.play()
  video.currentTime = 30
  playFor(video, 10)
  expect(playedSongs).toEqual(['a new', 'b new'])
})
