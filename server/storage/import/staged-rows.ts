import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type ImportRow, supporterTextFields } from '../../../contract/import.ts'
import { isReservedContextId } from '../../../contract/playlist-rules.ts'
import { foldWithSpellings } from '../../../contract/search-text.ts'
import { sanitiseHtml } from '../../text/html.ts'
import { convertToRichText } from '../../text/rich-text.ts'
import { ImportError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { parseDateMs } from './validate.ts'

/** The texts and links of an imported supporter's site. */
export type SupporterTexts = Partial<Record<(typeof supporterTextFields)[number], string>>

function refuseReservedId(id: string, field: string): void {
  if (isReservedContextId(id)) throw new ImportError(`${field}: '${id}' is taken by the site itself`)
}

function parseRowDate(datedRow: { date?: string; date_added?: string }, fieldName: 'date' | 'date_added', rowLabel: string): number {
  const dateText = datedRow[fieldName] ?? ''
  const ms = parseDateMs(dateText)
  if (ms === undefined) throw new ImportError(`${rowLabel}.${fieldName}: there is no such date as '${dateText}'`)
  return ms
}

/** Returns the texts by which a title is searched. */
export function createTitleSearchTexts({ title }: { title: string }) {
  const { folded, spellings } = foldWithSpellings(title)
  return { title_folded: folded, title_spellings: spellings }
}

/** Returns the texts by which a song is searched. */
export function createSongSearchTexts(song: { title: string; author_name: string }) {
  const { folded, spellings } = foldWithSpellings(song.author_name)
  return { ...createTitleSearchTexts(song), author_folded: folded, author_spellings: spellings }
}

export function toStagedSong(importRow: ImportRow<'songs'>, rowSeq: number, rowLabel: string): Tables['staged_songs'] {
  refuseReservedId(importRow.category_id, `${rowLabel}.category_id`)
  return {
    seq: rowSeq,
    youtube_id: importRow.youtube_id,
    title: importRow.title,
    author_name: importRow.author_name,
    ...createSongSearchTexts(importRow),
    author_channel_id: importRow.author_channel_id ?? null,
    category_id: importRow.category_id,
    category_name: importRow.category_name,
    date_added: parseRowDate(importRow, 'date_added', rowLabel),
    duration: importRow.duration ?? null,
    description: importRow.description ?? '',
  }
}

export function toStagedPlaylist(importRow: ImportRow<'playlists'>, rowSeq: number, rowLabel: string): Tables['staged_playlists'] {
  refuseReservedId(importRow.id, `${rowLabel}.id`)
  refuseReservedId(importRow.category_id, `${rowLabel}.category_id`)
  return {
    seq: rowSeq,
    id: importRow.id,
    title: importRow.title,
    ...createTitleSearchTexts(importRow),
    category_id: importRow.category_id,
    category_name: importRow.category_name,
    description: importRow.description ?? '',
    description_url: importRow.description_url ?? '',
    image_url: importRow.image_url ?? '',
    special: importRow.special === true ? 1 : 0,
    home: importRow.home === true ? 1 : 0,
  }
}

/** Returns one row per distinct song of a playlist. `songIndex` is the zero-based index in the file; a repeated song is staged at its first position. */
export function toStagedPlaylistSongs(importRow: ImportRow<'playlists'>, rowSeq: number): Tables['staged_playlist_songs'][] {
  const seenIds = new Set<string>()
  const stagedSongs: Tables['staged_playlist_songs'][] = []
  importRow.songs.forEach((songId, songIndex) => {
    if (!seenIds.has(songId)) stagedSongs.push({ playlist_seq: rowSeq, position: songIndex, song_id: songId })
    seenIds.add(songId)
  })
  return stagedSongs
}

export function toStagedMember(importRow: ImportRow<'members'>, rowSeq: number): Tables['staged_members'] {
  return {
    seq: rowSeq,
    channel_id: importRow.channel_id,
    channel_name: importRow.channel_name,
    channel_pic: importRow.channel_pic ?? '',
    sub_tag: importRow.sub_tag ?? '',
    testimonial: importRow.testimonial ?? '',
    subs: importRow.subs ?? 0,
    views: importRow.views ?? 0,
    academy: importRow.academy === true ? 1 : 0,
  }
}

export function toStagedSupporter(importRow: ImportRow<'supporters'>, rowSeq: number): Tables['staged_supporters'] {
  const texts: SupporterTexts = {}
  for (const field of supporterTextFields) if (importRow[field] !== undefined) texts[field] = importRow[field]
  return {
    seq: rowSeq,
    domain_name: importRow.domain_name,
    name: importRow.name,
    profile_pic: importRow.profile_pic ?? '',
    texts: JSON.stringify(texts),
  }
}

/** The SQL of the column `updated` of a news item that an import at `atMs` stores again: the time of the latest change of its text. */
export const createFeedUpdatedSql = (atMs: number) => sql<number>`case
  when feed.title <> excluded.title or feed.content <> excluded.content or feed.url <> excluded.url then ${atMs}
  else feed.updated end`

/** The id of an item whose row has no id is a hash of date and title, so that a repeated import updates the same item. */
export function toStagedFeedItem(importRow: ImportRow<'feed'>, rowSeq: number, rowLabel: string): Tables['staged_feed'] {
  const feedDateMs = parseRowDate(importRow, 'date', rowLabel)
  return {
    seq: rowSeq,
    id: importRow.id ?? createHash('sha256').update(`${feedDateMs} ${importRow.title}`).digest('hex').slice(0, 16),
    title: importRow.title,
    content: sanitiseHtml(importRow.content),
    content_tree: JSON.stringify(convertToRichText(importRow.content)),
    image: importRow.image ?? '',
    url: importRow.url ?? '',
    date: feedDateMs,
  }
}
