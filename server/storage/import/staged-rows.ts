import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type ImportRow, supporterTextFields } from '../../../contract/import.ts'
import { isReservedContextId } from '../../../contract/playlist-rules.ts'
import { foldWithSpellings } from '../../../contract/search-text.ts'
import { sanitiseHtml } from '../../text/html.ts'
import { htmlToRichText } from '../../text/rich-text.ts'
import { ImportError } from '../errors.ts'
import type { Tables } from '../schema.ts'
import { parseDateMs } from './validate.ts'

/** The texts and links of an imported supporter's site. */
export type SupporterTexts = Partial<Record<(typeof supporterTextFields)[number], string>>

function refuseReservedId(id: string, field: string): void {
  if (isReservedContextId(id)) throw new ImportError(`${field}: '${id}' is taken by the site itself`)
}

function parseRowDate(row: { date?: string; date_added?: string }, field: 'date' | 'date_added', rowLabel: string): number {
  const dateText = row[field] ?? ''
  const ms = parseDateMs(dateText)
  if (ms === undefined) throw new ImportError(`${rowLabel}.${field}: there is no such date as '${dateText}'`)
  return ms
}

/** Returns the texts by which a title is searched. */
export function titleSearchTexts({ title }: { title: string }) {
  const { folded, spellings } = foldWithSpellings(title)
  return { title_folded: folded, title_spellings: spellings }
}

/** Returns the texts by which a song is searched. */
export function songSearchTexts(song: { title: string; author_name: string }) {
  const { folded, spellings } = foldWithSpellings(song.author_name)
  return { ...titleSearchTexts(song), author_folded: folded, author_spellings: spellings }
}

export function toStagedSong(row: ImportRow<'songs'>, seq: number, rowLabel: string): Tables['staged_songs'] {
  refuseReservedId(row.category_id, `${rowLabel}.category_id`)
  return {
    seq,
    youtube_id: row.youtube_id,
    title: row.title,
    author_name: row.author_name,
    ...songSearchTexts(row),
    author_channel_id: row.author_channel_id ?? null,
    category_id: row.category_id,
    category_name: row.category_name,
    date_added: parseRowDate(row, 'date_added', rowLabel),
    duration: row.duration ?? null,
    description: row.description ?? '',
  }
}

export function toStagedPlaylist(row: ImportRow<'playlists'>, seq: number, rowLabel: string): Tables['staged_playlists'] {
  refuseReservedId(row.id, `${rowLabel}.id`)
  refuseReservedId(row.category_id, `${rowLabel}.category_id`)
  return {
    seq,
    id: row.id,
    title: row.title,
    ...titleSearchTexts(row),
    category_id: row.category_id,
    category_name: row.category_name,
    description: row.description ?? '',
    description_url: row.description_url ?? '',
    image_url: row.image_url ?? '',
    special: row.special === true ? 1 : 0,
    home: row.home === true ? 1 : 0,
  }
}

/** Returns one row per distinct song of a playlist. `songIndex` is the zero-based index in the file; a repeated song is staged at its first position. */
export function toStagedPlaylistSongs(row: ImportRow<'playlists'>, seq: number): Tables['staged_playlist_songs'][] {
  const seenIds = new Set<string>()
  const stagedSongs: Tables['staged_playlist_songs'][] = []
  row.songs.forEach((songId, songIndex) => {
    if (!seenIds.has(songId)) stagedSongs.push({ playlist_seq: seq, position: songIndex, song_id: songId })
    seenIds.add(songId)
  })
  return stagedSongs
}

export function toStagedMember(row: ImportRow<'members'>, seq: number): Tables['staged_members'] {
  return {
    seq,
    channel_id: row.channel_id,
    channel_name: row.channel_name,
    channel_pic: row.channel_pic ?? '',
    sub_tag: row.sub_tag ?? '',
    testimonial: row.testimonial ?? '',
    subs: row.subs ?? 0,
    views: row.views ?? 0,
    academy: row.academy === true ? 1 : 0,
  }
}

export function toStagedSupporter(row: ImportRow<'supporters'>, seq: number): Tables['staged_supporters'] {
  const texts: SupporterTexts = {}
  for (const field of supporterTextFields) if (row[field] !== undefined) texts[field] = row[field]
  return { seq, domain_name: row.domain_name, name: row.name, profile_pic: row.profile_pic ?? '', texts: JSON.stringify(texts) }
}

/** The SQL of the column `updated` of a news item that an import at `atMs` stores again: the time of the latest change of its text. */
export const feedUpdatedSql = (atMs: number) => sql<number>`case
  when feed.title <> excluded.title or feed.content <> excluded.content or feed.url <> excluded.url then ${atMs}
  else feed.updated end`

/** The id of an item without one is a hash of date and title, so that a repeated import updates the same item. */
export function toStagedFeedItem(row: ImportRow<'feed'>, seq: number, rowLabel: string): Tables['staged_feed'] {
  const date = parseRowDate(row, 'date', rowLabel)
  return {
    seq,
    id: row.id ?? createHash('sha256').update(`${date} ${row.title}`).digest('hex').slice(0, 16),
    title: row.title,
    content: sanitiseHtml(row.content),
    content_tree: JSON.stringify(htmlToRichText(row.content)),
    image: row.image ?? '',
    url: row.url ?? '',
    date,
  }
}
