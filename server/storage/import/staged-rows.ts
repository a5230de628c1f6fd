import { createHash } from 'node:crypto'
import { FAVORITES_ID, NETWORK_PLAYLIST_ID, NEW_PLAYLIST_ID } from '../../../contract/computed-playlists.ts'
import type { ImportRow } from '../../../contract/import.ts'
import { foldText } from '../../../contract/text.ts'
import { sanitiseHtml } from '../html.ts'
import type { Tables } from '../schema.ts'
import { ImportError } from '../storage.ts'
import { dateMs } from './validate.ts'

/** What these ids mean is computed or another's; a playlist cannot have them. */
const RESERVED_IDS: readonly string[] = [NEW_PLAYLIST_ID, NETWORK_PLAYLIST_ID, FAVORITES_ID]

function time(row: { date?: string; date_added?: string }, field: 'date' | 'date_added', name: string): number {
  const text = row[field] ?? ''
  const ms = dateMs(text)
  if (ms === undefined) throw new ImportError(`${name}.${field}: there is no such date as '${text}'`)
  return ms
}

export function stagedSong(row: ImportRow<'songs'>, seq: number, name: string): Tables['staged_songs'] {
  return {
    seq,
    youtube_id: row.youtube_id,
    title: row.title,
    title_folded: foldText(row.title),
    author_name: row.author_name,
    author_folded: foldText(row.author_name),
    author_channel_id: row.author_channel_id ?? null,
    category_id: row.category_id,
    category_name: row.category_name,
    date_added: time(row, 'date_added', name),
    duration: row.duration ?? null,
    description: row.description ?? '',
  }
}

export function stagedPlaylist(row: ImportRow<'playlists'>, seq: number, name: string): Tables['staged_playlists'] {
  if (RESERVED_IDS.includes(row.id)) throw new ImportError(`${name}.id: '${row.id}' is taken by the site itself`)
  return {
    seq,
    id: row.id,
    title: row.title,
    title_folded: foldText(row.title),
    category_id: row.category_id,
    category_name: row.category_name,
    description: row.description ?? '',
    description_url: row.description_url ?? '',
    image_url: row.image_url ?? '',
    special: row.special === true ? 1 : 0,
    home: row.home === true ? 1 : 0,
  }
}

/** `position` counts from 0 as in the file. A song that a playlist names twice stands in it once, where it came first. */
export function stagedPlaylistSongs(row: ImportRow<'playlists'>, seq: number): Tables['staged_playlist_songs'][] {
  const seen = new Set<string>()
  const staged: Tables['staged_playlist_songs'][] = []
  row.songs.forEach((songId, position) => {
    if (!seen.has(songId)) staged.push({ playlist_seq: seq, position, song_id: songId })
    seen.add(songId)
  })
  return staged
}

export function stagedMember(row: ImportRow<'members'>, seq: number): Tables['staged_members'] {
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

export function stagedSupporter(row: ImportRow<'supporters'>, seq: number): Tables['staged_supporters'] {
  return { seq, domain_name: row.domain_name, name: row.name, profile_pic: row.profile_pic ?? '' }
}

/** An item has no id in the file: its date and title are what makes it the same one when it comes again. */
export function stagedFeedItem(row: ImportRow<'feed'>, seq: number, name: string): Tables['staged_feed'] {
  const date = time(row, 'date', name)
  return {
    seq,
    id: createHash('sha256').update(`${date} ${row.title}`).digest('hex').slice(0, 16),
    title: row.title,
    content: sanitiseHtml(row.content),
    image: row.image ?? '',
    url: row.url ?? '',
    date,
  }
}
