import type { ContentDocumentName } from '../../contract/content.ts'
import type { Song } from '../../contract/song.ts'
import type {
  AccountRow,
  ExportHistoryRow,
  FollowedSongsRow,
  ListeningRow,
  ListRow,
  LogicalClockRow,
  MemberStatsRow,
  OutboxEndpointKey,
  OutboxRow,
  OwnPlaylistCursorRow,
  PinnedPlaylistRow,
  RecentPlayRow,
  SiteRow,
  SongDetailRow,
  TableName,
  VisitRow,
} from './local-database.ts'
import * as shapes from './row-shapes.gen.ts'

// Stored rows are validated, because browsers, extensions and people can change them. An invalid row counts as missing and is requested
// again.

type Check = (value: unknown) => boolean
/** The shape of a value, generated from a type of the contract. The keys of optional members end with `?`. */
type Shape = 'string' | 'number' | 'boolean' | 'date' | 'list' | readonly [Shape] | { readonly [key: string]: Shape }
/** One check for each field of a row. A missing check is a type error. */
type RowChecks<T> = { [K in keyof Required<T>]: Check }

const isText: Check = (value) => typeof value === 'string'
const isFiniteNumber: Check = (value) => Number.isFinite(value)
const isAmount: Check = (value) => typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
const isBoolean: Check = (value) => typeof value === 'boolean'
const isDateText: Check = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value))
const isUuid: Check = (value) => typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
const optionalCheck =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const isTextList = listOf(isText)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const recordOf =
  (members: readonly (readonly [string, Check])[]): Check =>
  (value) =>
    isRecord(value) && members.every(([key, check]) => check(value[key]))

const rowCheck = <T>(checks: RowChecks<T>): Check => recordOf(Object.entries<Check>(checks))

const primitiveChecks = { string: isText, number: isFiniteNumber, boolean: isBoolean, date: isDateText, list: Array.isArray }
const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

/** Returns the function that checks whether a value has a generated shape. */
function checkOf(shape: Shape): Check {
  if (typeof shape === 'string') return primitiveChecks[shape]
  if (isList(shape)) return listOf(checkOf(shape[0]))
  return recordOf(
    Object.entries(shape).map(([key, memberShape]) =>
      key.endsWith('?') ? [key.slice(0, -1), optionalCheck(checkOf(memberShape))] : [key, checkOf(memberShape)],
    ),
  )
}

const bodyShapes: Record<OutboxEndpointKey, Shape> = {
  'POST /favorite/sync': shapes.favoriteChange,
  'POST /list/sync': shapes.ownPlaylistChange,
  'POST /follow/sync': shapes.followChange,
  'POST /make/history': shapes.makeHistoryBody,
  'POST /song/play': shapes.playBody,
  'POST /contact/request': shapes.contactBody,
}
const bodyChecks = new Map<unknown, Check>(Object.entries(bodyShapes).map(([call, shape]) => [call, checkOf(shape)]))

const outboxRow = rowCheck<OutboxRow>({
  id: isText,
  uid: isText,
  call: isText,
  body: isRecord,
  createdAtMs: isFiniteNumber,
  attempts: isFiniteNumber,
  lastError: isText,
  state: (value) => value === 'waiting' || value === 'failed',
})

const isShare = recordOf([
  ['token', isText],
  ['indexed', isBoolean],
])

const documentShapes: Record<ContentDocumentName, Shape> = {
  faq: shapes.faqDocument,
  timeline: shapes.timelineDocument,
  privacy: shapes.privacyDocument,
  plans: shapes.plansDocument,
  benefits: shapes.benefitsDocument,
  academy: shapes.academyDocument,
  'what-is': shapes.whatIsDocument,
}
const documentChecks = new Map(Object.entries(documentShapes).map(([name, shape]) => [name, checkOf(shape)]))

export const rowValidators: Record<TableName, Check> = {
  songs: checkOf(shapes.song),
  playlists: checkOf(shapes.playlist),
  lists: rowCheck<ListRow>({ key: isText, ids: isTextList, complete: isBoolean, local: optionalCheck(isBoolean) }),
  details: rowCheck<SongDetailRow>({ key: isText, detail: checkOf(shapes.songDetail) }),
  visits: rowCheck<VisitRow>({ key: isText, fetchedAtMs: isFiniteNumber, usedAtMs: isFiniteNumber }),
  feed: checkOf(shapes.feedItem),
  site: rowCheck<SiteRow>({ key: isText, site: checkOf(shapes.site) }),
  documents: (value) => isRecord(value) && typeof value.name === 'string' && documentChecks.get(value.name)?.(value.content) === true,
  members: checkOf(shapes.member),
  supporters: checkOf(shapes.supporter),
  memberStats: rowCheck<MemberStatsRow>({ key: isText, stats: checkOf(shapes.memberStats) }),
  pinned: rowCheck<PinnedPlaylistRow>({
    id: isText,
    title: isText,
    keptAtMs: isFiniteNumber,
    state: (value) => value === 'fetching' || value === 'done',
    songCount: isFiniteNumber,
    pictures: isTextList,
    rowBytes: isFiniteNumber,
    pictureBytes: isFiniteNumber,
  }),
  accounts: rowCheck<AccountRow>({ uid: isText, info: checkOf(shapes.accountInfo), confirmedAtMs: isFiniteNumber }),
  makeHistories: rowCheck<ExportHistoryRow>({ uid: isText, rows: listOf(checkOf(shapes.makeHistoryRow)) }),
  outbox: (value) => isRecord(value) && outboxRow(value) && bodyChecks.get(value.call)?.(value.body) === true,
  favorites: (value) =>
    isRecord(value) &&
    isText(value.uid) &&
    isText(value.cursor) &&
    (value.more === undefined || value.more === true) &&
    Array.isArray(value.ids) &&
    Array.isArray(value.atMs) &&
    value.ids.length === value.atMs.length &&
    value.ids.every(isText) &&
    value.atMs.every(isFiniteNumber),
  favoriteClocks: rowCheck<LogicalClockRow>({ uid: isText, device: isUuid, atMs: isFiniteNumber }),
  recentPlays: rowCheck<RecentPlayRow>({
    id: isText,
    song: checkOf(shapes.song),
    contextId: optionalCheck(isText),
    playedAtMs: isFiniteNumber,
  }),
  ownPlaylists: (value) =>
    isRecord(value) &&
    [value.id, value.uid, value.title, value.description].every(isText) &&
    isFiniteNumber(value.addedAtMs) &&
    optionalCheck(isFiniteNumber)(value.deletedAtMs) &&
    optionalCheck(isShare)(value.share) &&
    optionalCheck(isText)(value.hidden) &&
    [value.entryIds, value.songIds, value.positions].every(isTextList) &&
    new Set([value.entryIds, value.songIds, value.positions].map((list) => Array.isArray(list) && list.length)).size === 1,
  ownPlaylistCursors: rowCheck<OwnPlaylistCursorRow>({
    uid: isText,
    cursor: isText,
    more: (value) => value === undefined || value === true,
  }),
  follows: (value) =>
    isRecord(value) &&
    isText(value.uid) &&
    isText(value.cursor) &&
    Array.isArray(value.names) &&
    Array.isArray(value.atMs) &&
    value.names.length === value.atMs.length &&
    value.names.every(isText) &&
    value.atMs.every(isFiniteNumber),
  followedSongs: rowCheck<FollowedSongsRow>({ uid: isText, songs: listOf(checkOf(shapes.song)), seenIds: isTextList }),
  listening: rowCheck<ListeningRow>({
    key: isText,
    month: (value) => typeof value === 'string' && /^\d{4}-\d\d$/.test(value),
    songId: isText,
    title: isText,
    artist: isText,
    heardMs: isAmount,
    playCount: isAmount,
  }),
}

const songMembers = new Set(Object.keys(shapes.song).map((key) => key.replace('?', '')))

/** Returns a song with only the fields that songs have in lists. The song of a song page has further fields. */
export const toSongRow = (song: Song): Song =>
  // The cast is safe, because the filter leaves exactly the members of `Song`.
  Object.fromEntries(Object.entries(song).filter(([key, value]) => songMembers.has(key) && value !== undefined)) as unknown as Song

/**
 * Repairs the row of a pinned playlist, so that the playlist stays pinned and is downloaded again; `undefined` if the id of the playlist is
 * unreadable.
 */
export function repairPinnedPlaylist(row: object): PinnedPlaylistRow | undefined {
  const { id, title, pictures }: { [Key in keyof PinnedPlaylistRow]?: unknown } = row
  if (typeof id !== 'string') return undefined
  return {
    id,
    title: typeof title === 'string' ? title : id,
    keptAtMs: Date.now(),
    state: 'fetching',
    songCount: 0,
    pictures: Array.isArray(pictures) && pictures.every((each) => typeof each === 'string') ? pictures : [],
    rowBytes: 0,
    pictureBytes: 0,
  }
}
