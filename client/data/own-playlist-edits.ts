import {
  cleanPlaylistDescription,
  cleanPlaylistTitle,
  ENTRIES_PER_CHANGE_MAX,
  ENTRIES_PER_PLAYLIST_MAX,
  OWN_PLAYLISTS_MAX,
  ownPlaylistMessages,
} from '../../contract/own-playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import { uniqueId } from '../primitives/unique-id.ts'
import { placeEntries } from './entry-positions.ts'
import type { OwnPlaylist, OwnPlaylistEdit, OwnPlaylistEntry } from './own-playlist-rows.ts'

// Computes the edits of own playlists. This module neither reads nor stores rows.

/** A change that the rules of own playlists do not allow. Its message is written for the person who made the change. */
export class OwnPlaylistRefusal extends RangeError {}

export type PlaylistsById = ReadonlyMap<string, OwnPlaylist>
export type EntryChanges = NonNullable<OwnPlaylistEdit['entries']>

/** Returns the texts as the server stores them, at most as long as it accepts. Throws if the title is empty. */
export function cleanTitleAndDescription({ title, description }: { title?: string; description?: string }): {
  title?: string
  description?: string
} {
  const cleanTitle = title === undefined ? undefined : cleanPlaylistTitle(title)
  if (cleanTitle === '') throw new OwnPlaylistRefusal(ownPlaylistMessages.noTitle)
  return {
    ...(cleanTitle !== undefined && { title: cleanTitle }),
    ...(description !== undefined && { description: cleanPlaylistDescription(description) }),
  }
}

export interface NewEntry {
  readonly e: string
  readonly s: string
}

export const toNewEntries = (songs: readonly Song[]): NewEntry[] => songs.map(({ youtube_id }) => ({ e: uniqueId(), s: youtube_id }))

export function toAddedEntries(items: readonly NewEntry[], changes: EntryChanges): OwnPlaylistEntry[] {
  const positions = new Map(changes.map(({ e, position = '' }) => [e, position]))
  return items.map(({ e, s }) => ({ e, songId: s, position: positions.get(e) ?? '' }))
}

export function requirePlaylist(playlists: PlaylistsById, id: string): OwnPlaylist {
  const playlist = playlists.get(id)
  if (!playlist) throw new OwnPlaylistRefusal(ownPlaylistMessages.noPlaylist)
  return playlist
}

/** Throws if the playlists that are not deleted would be more than there can be once those of `ids` are among them. */
export function requireRoomFor(playlists: PlaylistsById, ids: readonly string[]): void {
  const liveIds = [...playlists.values()].filter(({ deletedAtMs }) => deletedAtMs === undefined).map(({ id }) => id)
  if (new Set([...liveIds, ...ids]).size > OWN_PLAYLISTS_MAX) throw new OwnPlaylistRefusal(ownPlaylistMessages.tooManyPlaylists)
}

/** Returns the entries of playlists, one playlist after the other. */
export const concatEntries = (playlists: PlaylistsById, ids: readonly string[]): OwnPlaylistEntry[] =>
  ids.flatMap((id) => requirePlaylist(playlists, id).entries)

/** Returns the items whose songs are neither in `entries` nor in an earlier item. */
export function dropDuplicateSongs(entries: readonly OwnPlaylistEntry[], items: readonly NewEntry[]): readonly NewEntry[] {
  const songIds = new Set(entries.map(({ songId }) => songId))
  return items.filter(({ s }) => !songIds.has(s) && songIds.add(s))
}

export function appendEntries(entries: readonly OwnPlaylistEntry[], items: readonly NewEntry[]): EntryChanges {
  if (entries.length + items.length > ENTRIES_PER_PLAYLIST_MAX) throw new OwnPlaylistRefusal(ownPlaylistMessages.playlistFull)
  const songIds = new Map(items.map(({ e, s }) => [e, s]))
  const places = placeEntries(
    entries,
    entries.length,
    items.map(({ e }) => e),
  )
  return places.map(({ e, position }) => {
    const s = songIds.get(e)
    return { e, position, ...(s !== undefined && { s }) }
  })
}

export function planMove(
  entries: readonly OwnPlaylistEntry[],
  entryIds: readonly string[],
  beforeEntryId: string | undefined,
): EntryChanges {
  const movedIds = new Set(entryIds)
  const ownIds = new Set(entries.map(({ e }) => e))
  const restEntries = entries.filter(({ e }) => !movedIds.has(e))
  const targetIndex = entries.findIndex(({ e }) => e === beforeEntryId)
  // If the target entry is among the moved entries, the next entry that is not moved becomes the target.
  const nextEntry = targetIndex < 0 ? undefined : entries.slice(targetIndex).find(({ e }) => !movedIds.has(e))
  const index = nextEntry ? restEntries.indexOf(nextEntry) : restEntries.length
  const foundIds = [...movedIds].filter((e) => ownIds.has(e))
  const isInPlace = foundIds.every((e, offset) => entries[index + offset]?.e === e)
  return isInPlace ? [] : placeEntries(restEntries, index, foundIds)
}

/** Splits an edit into edits that are small enough to be sent as one change each. An edit without effect is split into no edits. */
export function splitEdit({ l, entries = [], ...values }: OwnPlaylistEdit): OwnPlaylistEdit[] {
  const edits: OwnPlaylistEdit[] = []
  for (let at = 0; at < entries.length; at += ENTRIES_PER_CHANGE_MAX)
    edits.push({ l, entries: entries.slice(at, at + ENTRIES_PER_CHANGE_MAX) })
  if (Object.keys(values).length === 0) return edits
  return [{ l, ...values, ...edits[0] }, ...edits.slice(1)]
}
