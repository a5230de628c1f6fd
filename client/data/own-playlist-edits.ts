import {
  cleanPlaylistDescription,
  cleanPlaylistTitle,
  DELETED_PLAYLIST_RESTORABLE_MS,
  ENTRIES_PER_ACCOUNT_MAX,
  ENTRIES_PER_CHANGE_MAX,
  ENTRIES_PER_PLAYLIST_MAX,
  OWN_PLAYLISTS_MAX,
  ownPlaylistMessages,
} from '../../contract/own-playlist-rules.ts'
import type { Song } from '../../contract/song.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { placeEntries } from './entry-positions.ts'
import { createIdTest, type OwnPlaylist, type OwnPlaylistEdit, type OwnPlaylistEntry } from './own-playlist-rows.ts'
import { PLAYLISTS_LOADING_TEXT } from './own-playlists-loading.ts'

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

export interface NewPlaylistEntry {
  readonly e: string
  readonly s: string
}

export const toNewEntries = (songs: readonly Song[]): NewPlaylistEntry[] =>
  songs.map(({ youtube_id }) => ({ e: createUniqueId(), s: youtube_id }))

/** Returns a function that copies entries. It gives the copy of an entry the same new id each time, because a change is planned more than once. */
export function createEntryCopier(): (entries: readonly OwnPlaylistEntry[]) => NewPlaylistEntry[] {
  const newIdByEntryId = new Map<string, string>()
  return (entries) =>
    entries.map(({ e, songId }) => {
      const newId = newIdByEntryId.get(e) ?? createUniqueId()
      newIdByEntryId.set(e, newId)
      return { e: newId, s: songId }
    })
}

export function toAddedEntries(newEntries: readonly NewPlaylistEntry[], entryChanges: EntryChanges): OwnPlaylistEntry[] {
  const positions = new Map(entryChanges.map(({ e, position = '' }) => [e, position]))
  return newEntries.map(({ e, s }) => ({ e, songId: s, position: positions.get(e) ?? '' }))
}

export function requirePlaylist(playlists: PlaylistsById, playlistId: string): OwnPlaylist {
  const playlist = playlists.get(playlistId)
  if (!playlist) throw new OwnPlaylistRefusal(ownPlaylistMessages.noPlaylist)
  return playlist
}

/** Returns a playlist with all its entries. Throws while this device still fetches them, because a copy would lack some, and be final. */
export function requireWholePlaylist(playlists: PlaylistsById, playlistId: string): OwnPlaylist {
  const playlist = requirePlaylist(playlists, playlistId)
  if (playlist.isPartial) throw new OwnPlaylistRefusal(PLAYLISTS_LOADING_TEXT)
  return playlist
}

/** Throws if creating or restoring the playlists `playlistIds` would exceed the maximum number of playlists that are not deleted. */
export function requireRoomFor(playlists: PlaylistsById, playlistIds: readonly string[]): void {
  const liveIds = [...playlists.values()].filter(({ deletedAtMs }) => deletedAtMs === undefined).map(({ id }) => id)
  if (new Set([...liveIds, ...playlistIds]).size > OWN_PLAYLISTS_MAX) throw new OwnPlaylistRefusal(ownPlaylistMessages.tooManyPlaylists)
}

/**
 * Throws if `newEntryCount` more entries would exceed the maximum of all playlists together. Deleted playlists count as long as they can be restored; after
 * that the server has deleted their entries.
 * @param playlists all playlists of the account
 */
export function requireRoomForEntries(playlists: PlaylistsById, newEntryCount: number, nowMs: number): void {
  const countedPlaylists = [...playlists.values()].filter(
    ({ deletedAtMs = nowMs }) => deletedAtMs >= nowMs - DELETED_PLAYLIST_RESTORABLE_MS,
  )
  const entryCount = countedPlaylists.reduce((sum, { entries }) => sum + entries.length, 0)
  if (entryCount + newEntryCount > ENTRIES_PER_ACCOUNT_MAX) throw new OwnPlaylistRefusal(ownPlaylistMessages.accountFull)
}

/** Throws if `newEntryCount` more entries would exceed the maximum of one playlist. */
export function requireRoomInPlaylist(playlistEntries: readonly OwnPlaylistEntry[], newEntryCount: number): void {
  if (playlistEntries.length + newEntryCount > ENTRIES_PER_PLAYLIST_MAX) throw new OwnPlaylistRefusal(ownPlaylistMessages.playlistFull)
}

/** Returns the entries of playlists, one playlist after the other. */
export const concatEntries = (playlists: PlaylistsById, ids: readonly string[]): OwnPlaylistEntry[] =>
  ids.flatMap((id) => requireWholePlaylist(playlists, id).entries)

/** Returns the items whose songs are neither in `playlistEntries` nor in an earlier item. */
export function dropDuplicateSongs(
  playlistEntries: readonly OwnPlaylistEntry[],
  newEntries: readonly NewPlaylistEntry[],
): readonly NewPlaylistEntry[] {
  const songIds = new Set(playlistEntries.map(({ songId }) => songId))
  return newEntries.filter(({ s }) => !songIds.has(s) && songIds.add(s))
}

export function appendEntries(playlistEntries: readonly OwnPlaylistEntry[], newEntries: readonly NewPlaylistEntry[]): EntryChanges {
  requireRoomInPlaylist(playlistEntries, newEntries.length)
  const songIdByEntryId = new Map(newEntries.map(({ e, s }) => [e, s]))
  const placedEntries = placeEntries(
    playlistEntries,
    playlistEntries.length,
    newEntries.map(({ e }) => e),
  )
  return placedEntries.map(({ e, position }) => {
    const s = songIdByEntryId.get(e)
    return { e, position, ...(s !== undefined && { s }) }
  })
}

export function planMove(
  playlistEntries: readonly OwnPlaylistEntry[],
  entryIds: readonly string[],
  beforeEntryId: string | undefined,
): EntryChanges {
  const isMovedId = createIdTest(entryIds)
  const foundIds = new Set<string>()
  const restEntries: OwnPlaylistEntry[] = []
  let targetIndex: number | undefined
  for (const entry of playlistEntries) {
    // If the target entry is among the moved entries, the next entry that is not moved becomes the target.
    if (entry.e === beforeEntryId) targetIndex = restEntries.length
    if (isMovedId(entry.e)) foundIds.add(entry.e)
    else restEntries.push(entry)
  }
  const index = targetIndex ?? restEntries.length
  const placedIds = [...new Set(entryIds)].filter((e) => foundIds.has(e))
  const isInPlace = placedIds.every((e, offset) => playlistEntries[index + offset]?.e === e)
  return isInPlace ? [] : placeEntries(restEntries, index, placedIds)
}

/** Splits an edit into edits that are small enough to be sent as one change each. An edit without effect is split into no edits. */
export function splitEdit({ l, entries = [], ...editValues }: OwnPlaylistEdit): OwnPlaylistEdit[] {
  const playlistEdits: OwnPlaylistEdit[] = []
  for (let at = 0; at < entries.length; at += ENTRIES_PER_CHANGE_MAX)
    playlistEdits.push({ l, entries: entries.slice(at, at + ENTRIES_PER_CHANGE_MAX) })
  if (Object.keys(editValues).length === 0) return playlistEdits
  return [{ l, ...editValues, ...playlistEdits[0] }, ...playlistEdits.slice(1)]
}
