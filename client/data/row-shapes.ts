import type { ContentDocumentName } from '../../contract/content.ts'
import type { Song } from '../../contract/song.ts'
import type {
  AccountRow,
  CachedListRow,
  ExportHistoryRow,
  FollowedSongsRow,
  ListeningRow,
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

type ValueCheck = (value: unknown) => boolean
/** The shape of a value, generated from a type of the contract. The keys of optional members end with `?`. */
type ValueShape = 'string' | 'number' | 'boolean' | 'date' | 'list' | readonly [ValueShape] | { readonly [key: string]: ValueShape }
/** One check for each field of a row. A missing check is a type error. */
type RowChecks<T> = { [K in keyof Required<T>]: ValueCheck }

const isText: ValueCheck = (value) => typeof value === 'string'
const isFiniteNumber: ValueCheck = (value) => Number.isFinite(value)
const isNonNegativeNumber: ValueCheck = (value) => typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
const isBoolean: ValueCheck = (value) => typeof value === 'boolean'
const isDateText: ValueCheck = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value))
const isUuid: ValueCheck = (value) => typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
const makeCheckOptional =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === undefined || check(value)
const createListCheck =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.every(check)
const isTextListValue = createListCheck(isText)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const createRecordCheck =
  (members: readonly (readonly [string, ValueCheck])[]): ValueCheck =>
  (value) =>
    isRecord(value) && members.every(([key, check]) => check(value[key]))

const createRowCheck = <T>(checks: RowChecks<T>): ValueCheck => createRecordCheck(Object.entries<ValueCheck>(checks))

const primitiveChecks = { string: isText, number: isFiniteNumber, boolean: isBoolean, date: isDateText, list: Array.isArray }
const isListShape = (shape: ValueShape): shape is readonly [ValueShape] => Array.isArray(shape)

/** Returns the function that checks whether a value has a generated shape. */
function createCheck(shape: ValueShape): ValueCheck {
  if (typeof shape === 'string') return primitiveChecks[shape]
  if (isListShape(shape)) return createListCheck(createCheck(shape[0]))
  return createRecordCheck(
    Object.entries(shape).map(([key, memberShape]) =>
      key.endsWith('?') ? [key.slice(0, -1), makeCheckOptional(createCheck(memberShape))] : [key, createCheck(memberShape)],
    ),
  )
}

const bodyShapes: Record<OutboxEndpointKey, ValueShape> = {
  'POST /favorite/sync': shapes.favoriteChange,
  'POST /list/sync': shapes.ownPlaylistChange,
  'POST /follow/sync': shapes.followChange,
  'POST /make/history': shapes.makeHistoryBody,
  'POST /song/play': shapes.playBody,
  'POST /contact/request': shapes.contactBody,
}
const bodyCheckByEndpoint = new Map<unknown, ValueCheck>(Object.entries(bodyShapes).map(([call, shape]) => [call, createCheck(shape)]))

const outboxRow = createRowCheck<OutboxRow>({
  id: isText,
  uid: isText,
  call: isText,
  body: isRecord,
  createdAtMs: isFiniteNumber,
  attempts: isFiniteNumber,
  lastError: isText,
  state: (value) => value === 'waiting' || value === 'failed',
  mergeId: makeCheckOptional(isText),
})

const isShareValue = createRecordCheck([
  ['token', isText],
  ['indexed', isBoolean],
])

const documentShapes: Record<ContentDocumentName, ValueShape> = {
  faq: shapes.faqDocument,
  timeline: shapes.timelineDocument,
  privacy: shapes.privacyDocument,
  plans: shapes.plansDocument,
  benefits: shapes.benefitsDocument,
  academy: shapes.academyDocument,
  'what-is': shapes.whatIsDocument,
}
const documentCheckByName = new Map(Object.entries(documentShapes).map(([name, shape]) => [name, createCheck(shape)]))

export const rowValidators: Record<TableName, ValueCheck> = {
  songs: createCheck(shapes.song),
  playlists: createCheck(shapes.playlist),
  lists: createRowCheck<CachedListRow>({ key: isText, ids: isTextListValue, complete: isBoolean, local: makeCheckOptional(isBoolean) }),
  details: createRowCheck<SongDetailRow>({ key: isText, detail: createCheck(shapes.songDetail) }),
  visits: createRowCheck<VisitRow>({ key: isText, fetchedAtMs: isFiniteNumber, usedAtMs: isFiniteNumber }),
  feed: createCheck(shapes.feedItem),
  site: createRowCheck<SiteRow>({ key: isText, site: createCheck(shapes.site) }),
  documents: (value) => isRecord(value) && typeof value.name === 'string' && documentCheckByName.get(value.name)?.(value.content) === true,
  members: createCheck(shapes.member),
  supporters: createCheck(shapes.supporter),
  memberStats: createRowCheck<MemberStatsRow>({ key: isText, stats: createCheck(shapes.memberStats) }),
  pinned: createRowCheck<PinnedPlaylistRow>({
    id: isText,
    title: isText,
    keptAtMs: isFiniteNumber,
    state: (value) => value === 'fetching' || value === 'done',
    songCount: isFiniteNumber,
    pictures: isTextListValue,
    rowBytes: isFiniteNumber,
    pictureBytes: isFiniteNumber,
  }),
  accounts: createRowCheck<AccountRow>({ uid: isText, info: createCheck(shapes.accountInfo), confirmedAtMs: isFiniteNumber }),
  makeHistories: createRowCheck<ExportHistoryRow>({ uid: isText, rows: createListCheck(createCheck(shapes.makeHistoryRow)) }),
  outbox: (value) => isRecord(value) && outboxRow(value) && bodyCheckByEndpoint.get(value.call)?.(value.body) === true,
  favorites: (storedRow) =>
    isRecord(storedRow) &&
    isText(storedRow.uid) &&
    isText(storedRow.cursor) &&
    (storedRow.more === undefined || storedRow.more === true) &&
    Array.isArray(storedRow.ids) &&
    Array.isArray(storedRow.atMs) &&
    storedRow.ids.length === storedRow.atMs.length &&
    storedRow.ids.every(isText) &&
    storedRow.atMs.every(isFiniteNumber),
  favoriteClocks: createRowCheck<LogicalClockRow>({
    uid: isText,
    device: isUuid,
    atMs: isFiniteNumber,
    receivedMs: makeCheckOptional(isFiniteNumber),
  }),
  recentPlays: createRowCheck<RecentPlayRow>({
    id: isText,
    song: createCheck(shapes.song),
    contextId: makeCheckOptional(isText),
    playedAtMs: isFiniteNumber,
  }),
  ownPlaylists: (storedRow) =>
    isRecord(storedRow) &&
    [storedRow.id, storedRow.uid, storedRow.title, storedRow.description].every(isText) &&
    isFiniteNumber(storedRow.addedAtMs) &&
    makeCheckOptional(isFiniteNumber)(storedRow.deletedAtMs) &&
    makeCheckOptional(isShareValue)(storedRow.share) &&
    makeCheckOptional(isText)(storedRow.hidden) &&
    [storedRow.entryIds, storedRow.songIds, storedRow.positions].every(isTextListValue) &&
    new Set([storedRow.entryIds, storedRow.songIds, storedRow.positions].map((list) => Array.isArray(list) && list.length)).size === 1,
  ownPlaylistCursors: createRowCheck<OwnPlaylistCursorRow>({
    uid: isText,
    cursor: isText,
    more: (value) => value === undefined || value === true,
  }),
  follows: (storedRow) =>
    isRecord(storedRow) &&
    isText(storedRow.uid) &&
    isText(storedRow.cursor) &&
    Array.isArray(storedRow.names) &&
    Array.isArray(storedRow.atMs) &&
    storedRow.names.length === storedRow.atMs.length &&
    storedRow.names.every(isText) &&
    storedRow.atMs.every(isFiniteNumber),
  followedSongs: createRowCheck<FollowedSongsRow>({
    uid: isText,
    songs: createListCheck(createCheck(shapes.song)),
    seenIds: isTextListValue,
  }),
  listening: createRowCheck<ListeningRow>({
    key: isText,
    month: (value) => typeof value === 'string' && /^\d{4}-\d\d$/.test(value),
    songId: isText,
    title: isText,
    artist: isText,
    heardMs: isNonNegativeNumber,
    playCount: isNonNegativeNumber,
  }),
}

const songMemberNames = new Set(Object.keys(shapes.song).map((key) => key.replace('?', '')))

/** Returns a song with only the fields that songs have in lists. The song of a song page has further fields. */
export const toSongRow = (song: Song): Song =>
  // The cast is safe, because the filter leaves exactly the members of `Song`.
  Object.fromEntries(Object.entries(song).filter(([key, value]) => songMemberNames.has(key) && value !== undefined)) as unknown as Song

/**
 * Repairs the row of a pinned playlist, so that the playlist stays pinned and is downloaded again; `undefined` if the id of the playlist is
 * unreadable.
 */
export function repairPinnedPlaylist(storedRow: object): PinnedPlaylistRow | undefined {
  const { id, title, pictures }: { [Key in keyof PinnedPlaylistRow]?: unknown } = storedRow
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
