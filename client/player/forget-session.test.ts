import { expect, test, vi } from 'vitest'
import type { SongDetail } from '../../contract/song.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import type { Player } from './player-interface.ts'
import type { SongSource } from './song-source.ts'
import { createSong } from './testing/player-setup.ts'
import { preparePlayers } from './testing/prepare-players.ts'

// The player with a video that starts at once, and a source that knows one private list.

const PRIVATE_LIST_ID = 'my-list'
const PRIVATE_LIST_TITLE = 'For the wedding'

const listSongs = ['a', 'b', 'c', 'd', 'e'].map(createSong)

/** Creates a source whose answers wait while `isHolding` is set. */
function createSource() {
  const heldAnswers: (() => void)[] = []
  const source = {
    heldAnswers,
    isHolding: false,
    async song(songId: string, contextId: string | undefined): Promise<SongDetail> {
      if (source.isHolding) await new Promise<void>((resolve) => heldAnswers.push(resolve))
      const index = listSongs.findIndex(({ youtube_id }) => youtube_id === songId)
      return {
        ...createSong(songId),
        description: '',
        context_id: contextId ?? 'cat',
        context_title: contextId === PRIVATE_LIST_ID ? PRIVATE_LIST_TITLE : 'Category',
        first_song: 'a',
        next: listSongs[(index + 1) % listSongs.length]?.youtube_id ?? '',
        next_title: '',
        favorite: false,
        ...(index > 0 && { previous: listSongs[index - 1]?.youtube_id ?? '' }),
      }
    },
    context: async (contextId: string) => ({ songs: contextId === PRIVATE_LIST_ID ? listSongs : [createSong('x')], complete: true }),
    randomSongId: async () => 'x',
    countPlay() {},
    logPlay: () => undefined,
    reportUnplayable() {},
  }
  return source satisfies Omit<SongSource, 'related'>
}

const createPlayer = preparePlayers()

function setUp(storage = createMemoryStorage()) {
  const source = createSource()
  const player = createPlayer({ source, storage })
  return { player, source, storage }
}

async function openPrivateList(player: Player) {
  player.open({ songId: 'b', contextId: PRIVATE_LIST_ID })
  await vi.waitFor(() => expect(player.getSnapshot().upcoming).toHaveLength(3))
  player.next()
  player.enqueue(createSong('queued'))
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ songId: 'c', contextTitle: PRIVATE_LIST_TITLE }))
}

const readStoredText = (storage: ReturnType<typeof createMemoryStorage>) => storage.values.get('varispeed.player') ?? ''

test('forgotten session: the song plays on without its list, and neither Next, Previous, Shuffle nor Undo brings another song of the list', async () => {
  const { player, storage } = setUp()
  await openPrivateList(player)
  player.clearQueue()
  player.undoClearQueue()
  player.clearQueue()
  player.forgetSession()
  const forgotten = { status: 'playing', songId: 'c', contextId: undefined, contextTitle: '', upcoming: [], detail: undefined }
  expect(player.getSnapshot()).toMatchObject({ ...forgotten, nextKind: 'none', canNext: false, canPrevious: false })
  player.undoClearQueue()
  player.previous()
  player.next()
  expect(player.getSnapshot()).toMatchObject(forgotten)
  player.setShuffle(true)
  player.setShuffle(false)
  expect(player.getSnapshot()).toMatchObject(forgotten)
  for (const trace of [PRIVATE_LIST_TITLE, PRIVATE_LIST_ID, '"a"', '"b"', '"d"', '"e"', 'Title queued'])
    expect(readStoredText(storage)).not.toContain(trace)
})

test('forgotten session: after a reload the song has no list, and the next song that is opened has its own', async () => {
  const { player, storage } = setUp()
  await openPrivateList(player)
  player.forgetSession()
  player.close()
  const reloaded = setUp(storage)
  expect(reloaded.player.getSnapshot()).toMatchObject({ songId: 'c', contextId: undefined, contextTitle: '', upcoming: [] })
  reloaded.player.open({ songId: 'b', contextId: PRIVATE_LIST_ID })
  await vi.waitFor(() => expect(reloaded.player.getSnapshot().upcoming.map(({ song }) => song.youtube_id)).toEqual(['c', 'd', 'e']))
})

test('forgotten session: a restored session is forgotten without being stored, because the stored one may be of another tab', async () => {
  const { player, storage } = setUp()
  await openPrivateList(player)
  player.pause()
  const storedText = readStoredText(storage)
  const otherTab = setUp(storage)
  otherTab.player.forgetSession()
  expect(otherTab.player.getSnapshot()).toMatchObject({ status: 'paused', songId: 'c', contextTitle: '', upcoming: [] })
  expect(readStoredText(storage)).toBe(storedText)
})

test.each([true, false])(
  'forgotten session: the answer to an earlier request does not bring the list back; a song that is being loaded opens without it (plays: %s)',
  async (isPlayed) => {
    const { player, source, storage } = setUp()
    await openPrivateList(player)
    source.isHolding = true
    player.open({ songId: 'e', contextId: PRIVATE_LIST_ID })
    await vi.waitFor(() => expect(source.heldAnswers).toHaveLength(1))
    if (!isPlayed) player.pause()
    player.forgetSession()
    source.isHolding = false
    for (const answer of source.heldAnswers.splice(0)) answer()
    await vi.waitFor(() => expect(player.getSnapshot().current?.youtube_id).toBe('e'))
    await vi.waitFor(() => expect(player.getSnapshot().isContextLoading).toBe(false))
    expect(player.getSnapshot()).toMatchObject({ status: isPlayed ? 'playing' : 'paused', contextId: undefined, contextTitle: 'Category' })
    expect(player.getSnapshot().canPrevious).toBe(true)
    expect(readStoredText(storage)).not.toContain(PRIVATE_LIST_TITLE)
  },
)

// Tabs that share one storage. A tab that the browser has suspended does not follow a sign-out until it is resumed.

const readReloadedSongId = (storage: ReturnType<typeof createMemoryStorage>) => setUp(storage).player.getSnapshot().songId

function signIn(storage: ReturnType<typeof createMemoryStorage>, uid: string | undefined) {
  storage.write('signed-in', uid && JSON.stringify({ uid, email: `${uid}@example.com` }))
}

/** Lets another tab sign out the account, which removes the stored session. */
function signOutElsewhere(storage: ReturnType<typeof createMemoryStorage>) {
  signIn(storage, undefined)
  storage.write('varispeed.player', undefined)
}

test('forgotten session: a tab that returns from the back/forward cache after a sign-out does not store the session as it reloads', async () => {
  const { player, storage } = setUp()
  signIn(storage, 'ann')
  await openPrivateList(player)
  signOutElsewhere(storage)
  window.dispatchEvent(new Event('pagehide'))
  expect(readReloadedSongId(storage)).toBeUndefined()
  player.forgetSession()
  expect(player.getSnapshot()).toMatchObject({ songId: 'c', contextTitle: '' })
  expect(readReloadedSongId(storage)).toBe('c')
})

test.each([true, false])(
  'forgotten session: a tab that slept while another account signed in keeps the session of that account until a song is opened (loads: %s)',
  async (isLoading) => {
    const { player, source, storage } = setUp()
    signIn(storage, 'ann')
    await openPrivateList(player)
    if (isLoading) {
      source.isHolding = true
      player.open({ songId: 'e', contextId: PRIVATE_LIST_ID })
      await vi.waitFor(() => expect(source.heldAnswers).toHaveLength(1))
    }
    player.pause()
    signOutElsewhere(storage)
    signIn(storage, 'bob')
    const otherTab = setUp(storage)
    otherTab.player.open({ songId: 'x' })
    await vi.waitFor(() => expect(otherTab.player.getSnapshot()).toMatchObject({ contextTitle: 'Category', isContextLoading: false }))
    otherTab.player.close()
    const storedText = readStoredText(storage)
    expect(storedText).toContain('Title x')
    player.forgetSession()
    source.isHolding = false
    for (const answer of source.heldAnswers.splice(0)) answer()
    await vi.waitFor(() => expect(player.getSnapshot().current?.youtube_id).toBe(isLoading ? 'e' : 'c'))
    await vi.waitFor(() => expect(player.getSnapshot().isContextLoading).toBe(false))
    window.dispatchEvent(new Event('pagehide'))
    expect(readStoredText(storage)).toBe(storedText)
    player.open({ songId: 'b' })
    await vi.waitFor(() => expect(readReloadedSongId(storage)).toBe('b'))
  },
)

test('forgotten session: what was played before a login is stored for the account that signs in', async () => {
  const { player, storage } = setUp()
  await openPrivateList(player)
  signIn(storage, 'ann')
  player.next()
  expect(readReloadedSongId(storage)).toBe(player.getSnapshot().songId)
})

test('forgotten session: a session whose removal was interrupted at the sign-out is not restored for the next account', async () => {
  const { player, storage } = setUp()
  signIn(storage, 'ann')
  storage.write('varispeed.owner', 'ann')
  await openPrivateList(player)
  expect(readReloadedSongId(storage)).toBe('c')
  for (const uid of [undefined, 'bob']) {
    signIn(storage, uid)
    expect(readReloadedSongId(storage)).toBeUndefined()
  }
})
