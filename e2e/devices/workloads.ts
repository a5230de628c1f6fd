import fc from 'fast-check'
import { readFavoriteIds } from '../../client/data/favorite-rows.ts'
import { readFollows } from '../../client/data/follows.ts'
import { ANONYMOUS_UID, type OutboxRow, type Tables } from '../../client/data/local-database.ts'
import { type OwnPlaylist, type OwnPlaylistEntry, readOwnPlaylists } from '../../client/data/own-playlist-rows.ts'
import { foldText } from '../../contract/fold-text.ts'
import type { Song } from '../../contract/song.ts'
import type { SimulatedDevice, SimulatedTab } from './device.ts'
import type { ShownValues } from './history.ts'

/** The edits that people make of one kind of an account's data, and the functions that read its registers. */
export interface Workload<E> {
  /** An edit. Its numbers select items among those that the device shows when the edit is applied. */
  edit: fc.Arbitrary<E>
  /** Whether a device has this data while nobody is signed in. */
  isAnonymous: boolean
  apply(device: SimulatedDevice, tab: SimulatedTab, edit: E): Promise<void>
  /** Reads the registers that a device shows to the account `uid`; `ANONYMOUS_UID` stands for a person who is not signed in. */
  read(tables: Tables, uid: string): Promise<ShownValues>
  /** Returns the registers that a change sets; `undefined` for a change of another kind of data. */
  readChangedValues(row: OutboxRow): ShownValues | undefined
  /** The value of a register before the first write of it. A register without an initial value is not shown before its first write. */
  getInitialValue(register: string): string | undefined
}

const chooseItem = <T>(items: readonly T[], number: number): T | undefined => items[number % Math.max(1, items.length)]

interface FavoriteEdits {
  songs: readonly number[]
  favorite: boolean
}

export const createFavoriteWorkload = (songs: readonly Song[]): Workload<FavoriteEdits> => ({
  edit: fc.record({ songs: fc.array(fc.nat({ max: songs.length - 1 }), { minLength: 1, maxLength: 3 }), favorite: fc.boolean() }),
  isAnonymous: false,
  async apply(device, tab, { songs: songNumbers, favorite }) {
    const edits = songNumbers.map((number) => ({ songId: chooseItem(songs, number)?.youtube_id ?? '', favorite }))
    await tab.run(({ favorites }) => favorites.edit(device.uid ?? '', edits))
  },
  read: async (tables, uid) => new Map((await readFavoriteIds(tables, uid))?.map((id) => [id, 'true'])),
  readChangedValues: (row) => (row.call === 'POST /favorite/sync' ? new Map([[row.body.s, String(row.body.favorite)]]) : undefined),
  getInitialValue: () => 'false',
})

interface FollowEdit {
  artistIndex: number
  follow: boolean
  /** Whether the artist's name is written in capitals, which is another spelling of the same artist. */
  isInCapitals: boolean
}

export const createFollowWorkload = (songs: readonly Song[]): Workload<FollowEdit> => ({
  edit: fc.record({ artistIndex: fc.nat({ max: songs.length - 1 }), follow: fc.boolean(), isInCapitals: fc.boolean() }),
  isAnonymous: true,
  async apply(device, tab, { artistIndex, follow, isInCapitals }) {
    const name = chooseItem(songs, artistIndex)?.author_name ?? ''
    await tab.run(({ follows }) => follows.change(device.uid ?? ANONYMOUS_UID, isInCapitals ? name.toUpperCase() : name, follow))
  },
  read: async (tables, uid) => new Map((await readFollows(tables, uid)).map(({ name }) => [foldText(name), 'true'])),
  readChangedValues: (row) =>
    row.call === 'POST /follow/sync' ? new Map([[foldText(row.body.artist), String(row.body.follow)]]) : undefined,
  getInitialValue: () => 'false',
})

const anyNumber = fc.nat({ max: 1000 })
const anyNumbers = fc.array(anyNumber, { minLength: 1, maxLength: 3 })
const anyCreateEdit = fc.record({ kind: fc.constant('create' as const), songs: fc.array(anyNumber, { maxLength: 4 }) })
const anyRenameEdit = fc.record({ kind: fc.constant('rename' as const), playlist: anyNumber, isTitle: fc.boolean() })
/** The edits that people make of own playlists, each weighted by how often people make it. */
const playlistEdits = [
  { weight: 2, arbitrary: anyCreateEdit },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      playlist: anyNumber,
      songs: anyNumbers,
      duplicates: fc.constantFrom('keep' as const, 'skip' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('move' as const), playlist: anyNumber, entries: anyNumbers, before: fc.option(anyNumber) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('take out' as const), playlist: anyNumber, entries: anyNumbers, undone: fc.boolean() }),
  },
  { weight: 2, arbitrary: anyRenameEdit },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), playlist: anyNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), playlist: anyNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), playlist: anyNumber, from: anyNumber }) },
] as const
type PlaylistEdit = (typeof playlistEdits)[number]['arbitrary'] extends fc.Arbitrary<infer E> ? E : never

const readAllPlaylists = async (device: SimulatedDevice): Promise<readonly OwnPlaylist[]> =>
  device.database.read((tables) => readOwnPlaylists(tables, device.uid ?? ANONYMOUS_UID))

/** Makes texts that no other edit uses, so that a shown text tells which write is shown. */
const createTextGenerator = () => {
  let count = 0
  return () => `text ${++count}`
}

/** Creates the workload of own playlists. With `isTitlesOnly`, people do nothing but create and rename playlists. */
export function createPlaylistWorkload(songs: readonly Song[], { isTitlesOnly = false } = {}): Workload<PlaylistEdit> {
  const generateText = createTextGenerator()

  async function applyEdit(device: SimulatedDevice, tab: SimulatedTab, playlist: OwnPlaylist, edit: PlaylistEdit): Promise<void> {
    const uid = device.uid ?? ANONYMOUS_UID
    const chooseEntries = (chosen: readonly number[]): OwnPlaylistEntry[] =>
      chosen.flatMap((each) => chooseItem(playlist.entries, each) ?? [])
    await tab.run(async ({ ownPlaylists }) => {
      switch (edit.kind) {
        case 'create':
          return
        case 'add': {
          const { duplicates } = edit
          await ownPlaylists.addSongs(uid, playlist.id, chooseSongs(edit.songs), { duplicates })
          return
        }
        case 'move': {
          const target = edit.before === null ? undefined : chooseItem(playlist.entries, edit.before)
          const movedIds = chooseEntries(edit.entries).map(({ e }) => e)
          return ownPlaylists.moveEntries(uid, playlist.id, movedIds, target?.e)
        }
        case 'take out': {
          const entryIds = chooseEntries(edit.entries).map(({ e }) => e)
          const removed = await ownPlaylists.removeEntries(uid, playlist.id, entryIds)
          return edit.undone ? ownPlaylists.restoreEntries(uid, playlist.id, removed) : undefined
        }
        case 'rename':
          return ownPlaylists.change(uid, playlist.id, edit.isTitle ? { title: generateText() } : { description: generateText() })
        case 'delete':
          return ownPlaylists.remove(uid, playlist.id)
        case 'restore':
          return ownPlaylists.restore(uid, playlist.id)
        case 'merge': {
          const from = chooseItem(await readAllPlaylists(device), edit.from)
          await ownPlaylists.merge(uid, playlist.id, from ? [from.id] : [], { duplicates: 'skip' })
        }
      }
    })
  }
  const chooseSongs = (chosen: readonly number[]): Song[] => chosen.flatMap((each) => chooseItem(songs, each) ?? [])

  return {
    edit: isTitlesOnly ? fc.oneof(anyCreateEdit, anyRenameEdit) : fc.oneof(...playlistEdits),
    isAnonymous: true,
    async apply(device, tab, madeEdit) {
      const uid = device.uid ?? ANONYMOUS_UID
      if (madeEdit.kind === 'create') {
        await tab.run(({ ownPlaylists }) => ownPlaylists.create(uid, { title: generateText(), songs: chooseSongs(madeEdit.songs) }))
        return
      }
      const playlists = (await readAllPlaylists(device)).filter(
        ({ deletedAtMs }) => (deletedAtMs !== undefined) === (madeEdit.kind === 'restore'),
      )
      const playlist = chooseItem(playlists, madeEdit.playlist)
      if (playlist) await applyEdit(device, tab, playlist, madeEdit)
    },
    async read(tables, uid) {
      const playlists = await readOwnPlaylists(tables, uid)
      return new Map(
        playlists.flatMap(({ id, title, description, deletedAtMs, entries }) => [
          [`${id} title`, title],
          [`${id} description`, description],
          [`${id} deleted`, String(deletedAtMs !== undefined)],
          ...entries.flatMap(({ e, songId, position }): [string, string][] => [
            [`${id} ${e} shown`, songId],
            [`${id} ${e} position`, position],
          ]),
        ]),
      )
    },
    readChangedValues(tableRow) {
      if (tableRow.call !== 'POST /list/sync') return undefined
      const { l, title, description, deleted, entries = [] } = tableRow.body
      return new Map([
        ...Object.entries({ title, description, deleted }).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[`${l} ${name}`, String(value)]],
        ),
        ...entries.flatMap(({ e, s, position, removed }): [string, string][] => [
          ...(removed === true
            ? [[`${l} ${e} shown`, 'no'] as [string, string]]
            : s === undefined
              ? []
              : [[`${l} ${e} shown`, s] as [string, string]]),
          ...(position === undefined ? [] : [[`${l} ${e} position`, position] as [string, string]]),
        ]),
      ])
    },
    getInitialValue: (register) =>
      register.endsWith(' shown') || register.endsWith(' title') ? 'no' : register.endsWith(' deleted') ? 'false' : undefined,
  }
}
