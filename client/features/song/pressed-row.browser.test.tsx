import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import type { Song } from '../../../contract/song.ts'
import type { ListedSong } from '../../data/catalogue-repository.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { idleState } from '../../player/idle-player.ts'
import { SongPage } from './song-page.tsx'

// The related songs read other services, and do not concern this test.
vi.mock('./related-songs.tsx', () => ({ RelatedSongs: () => null }))

let root: Root
let hostElement: HTMLElement
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

const doNothing = () => {}

function createResource<T>(data: T) {
  const state = { data, status: 'ready' as const, error: undefined }
  return { getSnapshot: () => state, getServerSnapshot: () => state, subscribe: () => doNothing, refresh: async () => {} }
}

it('song page: the pressed row counts once, and not when the player comes to the song again', async () => {
  const [firstSong, nextSong] = [createTestSong(1), createTestSong(2)]
  let listedSong: ListedSong = { ...firstSong, listIndex: 4 }
  const toResource = (song: Song) => createResource({ ...song, description: '', context_title: '' })
  const [firstResource, nextResource] = [toResource(firstSong), toResource(nextSong)]
  const noSuggestions = createResource([])
  const open = vi.fn()
  const services = createTestServices({
    site: { settings: { NAME: 'Site' } },
    player: { getSnapshot: () => idleState, subscribe: () => doNothing, open },
    identity: anonymousIdentity,
    database: { health: 'persistent', watch: () => doNothing },
    catalogue: {
      song: (id: string) => (id === firstSong.youtube_id ? firstResource : nextResource),
      noteSong: (song: ListedSong) => {
        listedSong = song
      },
      notedSong: (id: string | undefined) => (listedSong.youtube_id === id ? listedSong : undefined),
      explore: () => noSuggestions,
    },
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const showSong = async ({ youtube_id: songId }: Song, openedCount: number) => {
    root.render(
      <ServicesProvider services={services}>
        <SongPage songId={songId} contextId="list" shuffle={false} playerDeck={null} queue={null} onAdvance={doNothing} />
      </ServicesProvider>,
    )
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(openedCount))
  }
  await showSong(firstSong, 1)
  await showSong(nextSong, 2)
  await showSong(firstSong, 3)
  expect(open.mock.calls.map(([request]) => [request.songId, request.listIndex])).toEqual([
    [firstSong.youtube_id, 4],
    [nextSong.youtube_id, undefined],
    [firstSong.youtube_id, undefined],
  ])
})
