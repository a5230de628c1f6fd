import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Song } from '../../../contract/song.ts'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ApiCallError } from '../../platform/api.ts'
import { anonymousIdentity } from '../../platform/identity.ts'
import { idleState } from '../../player/idle-player.ts'
import { ToastRegion } from '../../ui/toast.tsx'
import '../../ui/global.css'
import { SongPage } from './song-page.tsx'

// The related songs read other services, and do not concern this test.
vi.mock('./related-songs.tsx', () => ({ RelatedSongs: () => null }))

let root: Root
let hostElement: HTMLElement
afterEach(() => {
  root.unmount()
  hostElement.remove()
})

const [firstSong, nextSong] = [createTestSong(1), createTestSong(2)]
const toDetail = (song: Song) => ({ ...song, description: '', context_title: '' })
const doNothing = () => {}

/** Creates a resource that has loaded `data`, has failed with `error`, or is loading without an end. */
function createResource<T>(data: T | undefined, error?: ApiCallError) {
  const status = data !== undefined ? ('ready' as const) : error ? ('error' as const) : ('loading' as const)
  const state = { data, status, error }
  return { getSnapshot: () => state, getServerSnapshot: () => state, subscribe: () => doNothing, refresh: async () => {} }
}

it.each([
  ['is still loading', undefined],
  ['cannot be loaded without a connection', new ApiCallError('network', 0, 'No connection to the server.')],
  ['is missing', new ApiCallError('api', 404, 'There is none.')],
])('song page: the song can be added to a playlist, also if the player has advanced to a song that %s', async (_, nextSongError) => {
  const create = vi.fn(async (_uid: string, _values: { title: string; songs?: readonly Song[] }) => 'new')
  const noPlaylists: readonly object[] = []
  const loadedSong = createResource(toDetail(firstSong))
  const unloadedSong = createResource(undefined, nextSongError)
  const noSuggestions = createResource([])
  const services = createTestServices({
    site: { settings: { NAME: 'Site' } },
    player: { getSnapshot: () => idleState, subscribe: () => doNothing, open: doNothing },
    identity: anonymousIdentity,
    connection: { offline: true, subscribe: () => doNothing },
    database: { health: 'persistent', watch: () => doNothing },
    catalogue: {
      song: (id: string) => (id === firstSong.youtube_id ? loadedSong : unloadedSong),
      notedSong: () => undefined,
      explore: () => noSuggestions,
      localPlaylists: { getSnapshot: () => undefined, subscribe: () => doNothing },
    },
    offlineMutations: async () => ({
      ownPlaylists: { create, all: () => ({ getSnapshot: () => noPlaylists, subscribe: () => doNothing }) },
    }),
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  const showSong = ({ youtube_id }: Song) =>
    root.render(
      <ServicesProvider services={services}>
        <ToastRegion>
          <SongPage songId={youtube_id} contextId={undefined} shuffle={false} playerDeck={null} queue={null} onAdvance={doNothing} />
        </ToastRegion>
      </ServicesProvider>,
    )
  showSong(firstSong)
  await page.getByRole('button', { name: 'Add to playlist' }).click()
  await page.getByLabelText('New playlist').fill('Night')
  showSong(nextSong)
  await expect.element(page.getByText('Report')).not.toBeInTheDocument()
  await expect.element(page.getByLabelText('New playlist')).toHaveValue('Night')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(create).toHaveBeenCalledWith(anonymousIdentity.getSnapshot()?.uid ?? '', {
    title: 'Night',
    songs: [expect.objectContaining({ youtube_id: firstSong.youtube_id })],
  })
})
