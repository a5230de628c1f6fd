import fc from 'fast-check'
import { readFavoriteIds } from '../../client/data/favorite-rows.ts'
import { readFollows } from '../../client/data/follows.ts'
import { ANONYMOUS_UID, type OutboxRow, type Tables } from '../../client/data/local-database.ts'
import { type OwnPlaylist, type OwnPlaylistEntry, readOwnPlaylists } from '../../client/data/own-playlist-rows.ts'
import { foldText } from '../../contract/fold-text.ts'
import type { Song } from '../../contract/song.ts'
import type { SimulatedDevice, SimulatedTab } from './device.ts'
import type { Placement, ShownValues } from './history.ts'

/** What a device shows of one kind of an account's data. */
export interface ShownData {
  values: ShownValues
  /** The entries of each playlist, in order. */
  entriesByPlaylist: ReadonlyMap<string, readonly OwnPlaylistEntry[]>
  /** The songs whose rows are shown. */
  songIds: readonly string[]
}

/** What a person wants to change by an edit. */
export interface EditIntention {
  values: ShownValues
  placement?: Placement
}

/** The edits that people make of one kind of an account's data, and the functions that read its registers. */
export interface Workload<E> {
  /** An edit. Its numbers select items among those that the device shows when the edit is applied. */
  edit: fc.Arbitrary<E>
  /** Whether a device has this data while nobody is signed in. */
  isAnonymous: boolean
  /** Makes the edit. Returns what the person wants to change by it; `undefined` if there is nothing to edit. */
  apply(device: SimulatedDevice, tab: SimulatedTab, edit: E): Promise<EditIntention | undefined>
  /** Reads what a device shows to the account `uid`; `ANONYMOUS_UID` stands for a person who is not signed in. */
  read(tables: Tables, uid: string): Promise<ShownData>
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
    const edits = songNumbers.flatMap((number) => {
      const song = chooseItem(songs, number)
      return song ? [{ songId: song.youtube_id, song, favorite }] : []
    })
    await tab.run(({ favorites }) => favorites.edit(device.uid ?? '', edits))
    return { values: new Map(edits.map(({ songId }) => [songId, String(favorite)])) }
  },
  async read(tables, uid) {
    const songIds = (await readFavoriteIds(tables, uid)) ?? []
    return { values: new Map(songIds.map((id) => [id, 'true'])), entriesByPlaylist: new Map(), songIds }
  },
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
    return { values: new Map([[foldText(name), String(follow)]]) }
  },
  async read(tables, uid) {
    const values = new Map((await readFollows(tables, uid)).map(({ name }) => [foldText(name), 'true']))
    return { values, entriesByPlaylist: new Map(), songIds: [] }
  },
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

  async function applyEdit(
    device: SimulatedDevice,
    tab: SimulatedTab,
    playlist: OwnPlaylist,
    edit: PlaylistEdit,
  ): Promise<EditIntention | undefined> {
    const uid = device.uid ?? ANONYMOUS_UID
    const chooseEntries = (chosen: readonly number[]): OwnPlaylistEntry[] =>
      chosen.flatMap((each) => chooseItem(playlist.entries, each) ?? [])
    const toShownValues = (entries: readonly OwnPlaylistEntry[]) =>
      entries.map(({ e, songId }): [string, string] => [`${playlist.id} ${e} shown`, songId])
    const placeAtEnd = (added: readonly OwnPlaylistEntry[]): Placement => ({
      ...{ list: playlist.id, entryIds: added.map(({ e }) => e), beforeId: undefined },
    })
    return tab.run(async ({ ownPlaylists }) => {
      switch (edit.kind) {
        case 'create':
          return undefined
        case 'add': {
          const { duplicates } = edit
          const { added } = await ownPlaylists.addSongs(uid, playlist.id, chooseSongs(edit.songs), { duplicates })
          return { values: new Map(toShownValues(added)), placement: placeAtEnd(added) }
        }
        case 'move': {
          const target = edit.before === null ? undefined : chooseItem(playlist.entries, edit.before)
          const movedIds = [...new Set(chooseEntries(edit.entries).map(({ e }) => e))]
          await ownPlaylists.moveEntries(uid, playlist.id, movedIds, target?.e)
          const followingEntries = target ? playlist.entries.slice(playlist.entries.indexOf(target)) : []
          const beforeId = followingEntries.find(({ e }) => !movedIds.includes(e))?.e
          return { values: new Map(), placement: { list: playlist.id, entryIds: movedIds, beforeId } }
        }
        case 'take out': {
          const entryIds = chooseEntries(edit.entries).map(({ e }) => e)
          const removed = await ownPlaylists.removeEntries(uid, playlist.id, entryIds)
          if (edit.undone) await ownPlaylists.restoreEntries(uid, playlist.id, removed)
          return { values: new Map(toShownValues(removed).map(([register, songId]) => [register, edit.undone ? songId : 'no'])) }
        }
        case 'rename': {
          const text = generateText()
          await ownPlaylists.change(uid, playlist.id, edit.isTitle ? { title: text } : { description: text })
          return { values: new Map([[`${playlist.id} ${edit.isTitle ? 'title' : 'description'}`, text]]) }
        }
        case 'delete':
          await ownPlaylists.remove(uid, playlist.id)
          return { values: new Map([[`${playlist.id} deleted`, 'true']]) }
        case 'restore':
          await ownPlaylists.restore(uid, playlist.id)
          return { values: new Map([[`${playlist.id} deleted`, 'false']]) }
        case 'merge': {
          const from = chooseItem(await readAllPlaylists(device), edit.from)
          const added = await ownPlaylists.merge(uid, playlist.id, from ? [from.id] : [], { duplicates: 'skip' })
          const deletedIds = from && from.id !== playlist.id ? [from.id] : []
          const deletions = deletedIds.map((id): [string, string] => [`${id} deleted`, 'true'])
          return { values: new Map([...toShownValues(added), ...deletions]), placement: placeAtEnd(added) }
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
        const title = generateText()
        const id = await tab.run(({ ownPlaylists }) => ownPlaylists.create(uid, { title, songs: chooseSongs(madeEdit.songs) }))
        return { values: new Map([[`${id} title`, title]]) }
      }
      const playlists = (await readAllPlaylists(device)).filter(
        ({ deletedAtMs }) => (deletedAtMs !== undefined) === (madeEdit.kind === 'restore'),
      )
      const playlist = chooseItem(playlists, madeEdit.playlist)
      return playlist && applyEdit(device, tab, playlist, madeEdit)
    },
    async read(tables, uid) {
      const playlists = await readOwnPlaylists(tables, uid)
      const values = new Map(
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
      const songIds = playlists.flatMap(({ entries }) => entries.map(({ songId }) => songId))
      return { values, entriesByPlaylist: new Map(playlists.map(({ id, entries }) => [id, entries])), songIds }
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
