import type { AccountInfo } from '../../contract/account.ts'
import type { FeedItem } from '../../contract/community.ts'
import type { MakeHistoryRow } from '../../contract/make.ts'
import type { Playlist } from '../../contract/playlist.ts'
import type { Site } from '../../contract/site.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import type {
  AccountRow,
  DetailRow,
  FavoriteClockRow,
  KeptRow,
  ListRow,
  MakeHistoriesRow,
  OutboxCall,
  OutboxRow,
  OutboxRowOf,
  SiteRow,
  TableName,
  VisitRow,
} from './store.ts'

/**
 * What a stored row must be for the page to show it. The browser, an extension or a hand may have changed what is on disk:
 * such rows count as not there, and are asked of the server again.
 */

type Check = (value: unknown) => boolean
/** Every member that the contract names, so that a new one is not forgotten here. */
type Shape<T> = { [K in keyof Required<T>]: Check }

const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => Number.isFinite(value)
const flag: Check = (value) => typeof value === 'boolean'
const date: Check = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value))
const uuid: Check = (value) => typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
const texts: Check = (value) => Array.isArray(value) && value.every(text)
const list: Check = Array.isArray
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

function shaped<T>(shape: Shape<T>): Check {
  const members = Object.entries<Check>(shape)
  return (value) => isRecord(value) && members.every(([key, check]) => check(value[key]))
}
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const song: Shape<Song> = {
  youtube_id: text,
  youtube_url: text,
  title: text,
  author_name: text,
  author_channel_id: optional(text),
  category_id: text,
  category_name: text,
  date_added: text,
  duration: optional(number),
  new: text,
}

const detail: Shape<SongDetail> = {
  ...song,
  description: text,
  context_id: text,
  context_title: text,
  first_song: text,
  next: text,
  next_title: text,
  previous: optional(text),
  favorite: flag,
}

const site: Shape<Site> = {
  brand: text,
  host_class: text,
  subdomain: text,
  api_base_url: text,
  main_url: text,
  radio_url: text,
  firebase: optional(shaped<NonNullable<Site['firebase']>>({ api_key: text, project_id: text, auth_domain: text })),
  discord_link: optional(flag),
  token_sync_url: optional(text),
  settings: shaped<Pick<Site['settings'], 'NAME' | 'DONATE_LINKS' | 'FOOTER_LINKS'>>({
    NAME: text,
    DONATE_LINKS: list,
    FOOTER_LINKS: list,
  }),
  hero: shaped<Site['hero']>({ rate: number, from_rate: number, to_rate: number }),
  texts: shaped<Site['texts']>({ hero_link_label: text, community_title: text, passion_title: text, tagline: text }),
}

const made = shaped<MakeHistoryRow>({ id: text, file_name: text, file_size: number, created: text })

const body = <C extends OutboxCall>(shape: Shape<OutboxRowOf<C>['body']>): Check => shaped(shape)
/** What the site can be told. */
const bodies: Record<OutboxCall, Check> = {
  'POST /favorite/sync': body<'POST /favorite/sync'>({ id: text, s: text, favorite: flag, at: date, device: text }),
  'POST /make/history': body<'POST /make/history'>({
    ...{ file_name: text, file_size: number, speed: number, pitch: number },
    ...{ change_id: text, exported_at: text },
  }),
  'POST /song/play': body<'POST /song/play'>({ s: text, p: optional(text), change_id: text, played_at: text }),
  'POST /contact/request': body<'POST /contact/request'>({
    ...{ topic: text, email: optional(text), discord: optional(text), youtube_url: optional(text), message: optional(text) },
    ...{ remember: optional(text), honeypot: optional(text), change_id: text, opened_at: optional(text) },
  }),
}
const bodyChecks = new Map<unknown, Check>(Object.entries(bodies))

const outboxRow = shaped<OutboxRow>({
  id: text,
  uid: text,
  call: text,
  body: isRecord,
  createdAtMs: number,
  attempts: number,
  lastError: text,
  state: (value) => value === 'waiting' || value === 'failed',
})

/** Whether a row of each table can be shown. */
export const isSound: Record<TableName, Check> = {
  songs: shaped<Song>(song),
  playlists: shaped<Playlist>({
    id: text,
    title: text,
    category_id: text,
    category_name: text,
    description: text,
    description_url: text,
    youtube_url: text,
    special: flag,
    image_url: text,
    thumbnail: text,
    url: text,
    song_count: number,
    duration: optional(number),
  }),
  lists: shaped<ListRow>({ key: text, ids: texts, complete: flag, local: optional(flag) }),
  details: shaped<DetailRow>({ key: text, detail: shaped<SongDetail>(detail) }),
  visits: shaped<VisitRow>({ key: text, fetchedAtMs: number, usedAtMs: number }),
  feed: shaped<FeedItem>({ id: text, title: text, content: text, image: text, url: text, date: text }),
  site: shaped<SiteRow>({ key: text, site: shaped<Site>(site) }),
  kept: shaped<KeptRow>({
    id: text,
    title: text,
    keptAtMs: number,
    state: (value) => value === 'fetching' || value === 'done',
    songCount: number,
    pictures: texts,
    rowBytes: number,
    pictureBytes: number,
  }),
  accounts: shaped<AccountRow>({
    uid: text,
    info: shaped<AccountInfo>({ email: text, roles: texts, discord: text, discord_id: text }),
    confirmedAtMs: number,
  }),
  makeHistories: shaped<MakeHistoriesRow>({ uid: text, rows: (value) => Array.isArray(value) && value.every(made) }),
  outbox: (row) => isRecord(row) && outboxRow(row) && bodyChecks.get(row.call)?.(row.body) === true,
  favorites: (row) =>
    isRecord(row) &&
    text(row.uid) &&
    text(row.cursor) &&
    (row.more === undefined || row.more === true) &&
    Array.isArray(row.ids) &&
    Array.isArray(row.atMs) &&
    row.ids.length === row.atMs.length &&
    row.ids.every(text) &&
    row.atMs.every(number),
  favoriteClocks: shaped<FavoriteClockRow>({ uid: text, device: uuid, atMs: number }),
}

/** What a person chose to keep stays chosen, whatever became of its row: it is fetched once more. */
export function mendKept({ id, title, pictures }: KeptRow): KeptRow {
  return {
    id,
    title: text(title) ? title : id,
    keptAtMs: Date.now(),
    state: 'fetching',
    songCount: 0,
    pictures: texts(pictures) ? pictures : [],
    rowBytes: 0,
    pictureBytes: 0,
  }
}
